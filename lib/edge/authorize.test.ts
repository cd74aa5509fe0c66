import { expect, test } from "vitest";
import { linkRow, runLink } from "../../test/harness/link.ts";
import { authorize } from "./authorize.ts";

const noDatabase = () => {
  throw new Error("no storage is needed");
};
const principal = { type: "ApiKey", id: "k", organizationId: "o", scopes: ["agents:write"] };
const known = { database: noDatabase, principal, pathValues: {}, tenant: undefined };

test("a principal with the row's scope passes, without a storage call", async () => {
  expect((await runLink(authorize(linkRow), { known })).status).toBe(200);
});

test("a principal without it is refused with 403 that names it", async () => {
  const without = { ...known, principal: { ...principal, scopes: ["agents:read"] } };
  expect((await runLink(authorize(linkRow), { known: without })).problem).toMatchObject({
    status: 403,
    requiredScope: "agents:write",
  });
});

test("a user is refused where only API keys are taken", async () => {
  const link = authorize({ ...linkRow, scope: "api-key" });
  const user = { ...known, principal: { ...principal, type: "User" } };
  expect((await runLink(link, { known: user })).slug).toBe("unauthenticated");
  expect((await runLink(link, { known })).status).toBe(200);
});
