import { beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { createEventDestination } from "./create-event-destination.ts";
import { UpdateEventDestinationBody } from "./schemas.ts";
import { openKeys } from "./secret.ts";
import { getEventDestination } from "./store.ts";
import { updateEventDestination } from "./update-event-destination.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

const url = "https://events.example.com/wharf";
const start = async () => {
  const { ctx, deps, advance } = testTenant(db);
  const all = { ...deps, outgoing: {} };
  const created = await createEventDestination(all, {
    ctx,
    body: { type: "webhook", url, eventTypes: ["api_key.issued"], active: true, description: null },
  });
  const update = (body: object) =>
    updateEventDestination(all, {
      ctx,
      destinationId: created.id,
      body: UpdateEventDestinationBody.parse(body),
    });
  const validKeys = async () => {
    const item = await getEventDestination(db, ctx.tenant.organizationId, created.id);
    return item ? (await openKeys(deps.sealer, item, ctx.clock())).length : 0;
  };
  return { created, update, validKeys, advance };
};

test("omitted members keep their values, and no secret is shown", async () => {
  const { created, update, advance } = await start();
  advance(1_000);
  expect(await update({ description: "Incidents" })).toEqual({
    ...created,
    description: "Incidents",
    signingSecret: null,
    modifiedAt: created.modifiedAt + 1_000,
  });
});

test("a rotated secret signs together with the previous one for a day", async () => {
  const { created, update, validKeys, advance } = await start();
  const { signingSecret } = await update({ rotateSecret: true });
  expect(signingSecret).not.toBe(created.signingSecret);
  expect(await validKeys()).toBe(2);
  advance(24 * 3_600_000);
  expect(await validKeys()).toBe(1);
});

test("another server needs another secret, and never gets a signature with the previous one", async () => {
  const { update, validKeys } = await start();
  const moved = { url: "https://elsewhere.example.com/wharf" };
  await expect(update(moved)).rejects.toMatchObject({
    slug: "validation-failed",
    members: { errors: [expect.objectContaining({ pointer: "/rotateSecret" })] },
  });
  expect(await update({ ...moved, rotateSecret: true })).toMatchObject(moved);
  expect(await validKeys()).toBe(1);
});
