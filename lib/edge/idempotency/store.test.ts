import { expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/table.ts";
import { claimRequest } from "./store.ts";

test("a claim whose answer was lost on the way, and which is sent again, meets itself", async () => {
  const db = await testDatabase();
  const claim = {
    key: { pk: "IDEM#x", sk: "IDEM" },
    token: "mine",
    bodyHash: "body",
    now: 1_000,
    leaseUntil: 2_000,
    expiresAt: 9_000,
  };
  expect(await claimRequest(db, claim)).toEqual({ type: "claimed" });
  expect(await claimRequest(db, claim)).toEqual({ type: "claimed" });
  expect(await claimRequest(db, { ...claim, token: "another" })).toEqual({ type: "running" });
});
