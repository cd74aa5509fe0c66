import { beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { createEventDestination } from "./create-event-destination.ts";
import { CreateEventDestinationBody } from "./schemas.ts";
import { allEventDestinations, maxEventDestinations } from "./store.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

const url = "https://events.example.com/wharf";
const start = () => {
  const { ctx, deps } = testTenant(db);
  const create = (body: object = {}, principal = ctx.principal) =>
    createEventDestination(
      { ...deps, outgoing: {} },
      {
        ctx: { ...ctx, principal },
        body: CreateEventDestinationBody.parse({ url, eventTypes: ["api_key.issued"], ...body }),
      },
    );
  return { ctx, create };
};

test("the response has the signing secret, and the stored item only its ciphertext", async () => {
  const { ctx, create } = start();
  const { signingSecret } = await create();
  expect(signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const stored = JSON.stringify(await allEventDestinations(db, ctx.tenant.organizationId));
  expect(stored).not.toContain(signingSecret?.slice(6));
});

test("event types that the caller may not read are refused with 403", async () => {
  const { ctx, create } = start();
  const principal = { ...ctx.principal, scopes: ["agents:read" as const] };
  await expect(create({}, principal)).rejects.toMatchObject({ slug: "scope-escalation" });
  expect(await create({ eventTypes: ["agent.budget.threshold"] }, principal)).toMatchObject({
    active: true,
  });
});

test.each(["http://events.example.com", "https://127.0.0.1/", "nowhere"])(
  "the URL %s is refused with a pointer to it",
  async (wrong) => {
    await expect(start().create({ url: wrong })).rejects.toMatchObject({
      slug: "validation-failed",
      members: { errors: [expect.objectContaining({ pointer: "/url" })] },
    });
  },
);

test("an organization has at most fifty", { tags: "nightly" }, async () => {
  const { create } = start();
  for (let count = 0; count < maxEventDestinations; count += 1) await create();
  await expect(create()).rejects.toMatchObject({ slug: "conflict" });
});
