import { expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/table.ts";
import { abandonRequest, claimRequest } from "./store.ts";

test("a claim that is sent again because its response was lost succeeds", {
  tags: "nightly",
}, async () => {
  const db = await testDatabase();
  const claim = {
    key: { pk: "IDEM#x", sk: "IDEM" },
    token: "mine",
    bodyHash: "body",
    now: 1_000,
    leaseUntil: 2_000,
    expiresAt: 9_000,
  };
  expect(await claimRequest(db, claim)).toEqual({ type: "claimed", earlier: [] });
  expect(await claimRequest(db, claim)).toEqual({ type: "claimed", earlier: [] });
  expect(await claimRequest(db, { ...claim, token: "another" })).toEqual({ type: "running" });
});

const buildTestClaim = (token: string, now: number) => ({
  key: { pk: "IDEM#repeated", sk: "IDEM" },
  token,
  bodyHash: "body",
  now,
  leaseUntil: now + 1_000,
  expiresAt: now + 9_000,
});

test("a claim contains all crashed runs of its request, so that a third run finds what the first created", async () => {
  const db = await testDatabase();
  for (const token of ["1", "2"]) {
    await claimRequest(db, buildTestClaim(token, 1_000));
    await abandonRequest(db, buildTestClaim(token, 1_000));
  }
  const third = await claimRequest(db, buildTestClaim("3", 1_001));
  expect(third).toEqual({ type: "claimed", earlier: ["1", "2"] });
});

test("a claim of an expired request names no earlier run", async () => {
  const db = await testDatabase();
  await claimRequest(db, buildTestClaim("1", 1_000));
  expect(await claimRequest(db, buildTestClaim("2", 10_001))).toEqual({
    type: "claimed",
    earlier: [],
  });
  const another = { ...buildTestClaim("3", 10_002), bodyHash: "another" };
  expect(await claimRequest(db, another)).toEqual({ type: "mismatch" });
});
