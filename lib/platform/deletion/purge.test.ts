import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import * as z from "zod";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import type { Key } from "../db/keys.ts";
import { listAll } from "../db/list-page.ts";
import { TenantId } from "../db/tenant-id.ts";
import { putItem } from "../db/write-item.ts";
import { type PurgeStep, purgeEntity, purgeItems } from "./purge.ts";
import { purgedItem } from "./purged-item.ts";
import { getTombstone, replaceByTombstone, type TombstoneKind } from "./tombstone.ts";

type Message = { type: "purge-thing"; tenantId: TenantId; thingId: string };
const Tombstone = z.object({ busyUntil: z.number() });
const kind: TombstoneKind<Message, z.output<typeof Tombstone>> = {
  type: "purge-thing",
  key: ({ tenantId, thingId }) => ({ pk: `TENANT#${tenantId}`, sk: `DELETED#${thingId}` }),
  schema: Tombstone,
  busyUntil: ({ busyUntil }) => busyUntil,
};
const Child = purgedItem(["content"], {});

let db: TestDatabase;
let ref: { tenantId: TenantId; thingId: string };
let now: number;
let sent: unknown[];
let removedObjects: string[];

beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(() => {
  ref = { tenantId: TenantId.parse(randomUUID()), thingId: "a" };
  now = 1_000;
  sent = [];
  removedObjects = [];
});

const itemKey = (sk: string): Key => ({ pk: `THING#${ref.tenantId}`, sk });
const list = () => listAll(db, Child, { pk: itemKey("").pk, prefix: "" });
const listNames = async () => (await Array.fromAsync(list())).map(({ sk }) => sk);
const bury = (busyUntil = 0) =>
  replaceByTombstone(db, kind, ref, { tombstone: { busyUntil }, writes: [] });
const purge = (steps: readonly PurgeStep[]) =>
  purgeEntity(
    {
      db,
      objects: {
        remove: async (names) => void removedObjects.push(...names),
        removeUnder: async () => undefined,
      },
      send: async (...message) => void sent.push(message),
      clock: () => now,
      until: 2_000,
    },
    { kind, ref, buildSteps: () => steps },
  );
const isBuried = async () => (await getTombstone(db, kind, ref)) !== undefined;

test("runs no step for an entity that is not deleted", async () => {
  let runs = 0;
  const step: PurgeStep = async () => {
    runs += 1;
    return "done";
  };
  await purge([step]);
  expect(runs).toBe(0);
  expect(sent).toEqual([]);
});

test("deletes the tombstone after the last step", async () => {
  await bury();
  const seen: boolean[] = [];
  const step: PurgeStep = async () => {
    seen.push(await isBuried());
    return "done";
  };
  await purge([step, step]);
  expect(seen).toEqual([true, true]);
  expect(await isBuried()).toBe(false);
  expect(sent).toEqual([]);
});

test("requests another run and keeps the tombstone when a step leaves data, and runs no later step", async () => {
  await bury();
  let later = 0;
  const step: PurgeStep = async () => {
    later += 1;
    return "done";
  };
  await purge([async () => "more", step]);
  expect(later).toBe(0);
  expect(await isBuried()).toBe(true);
  expect(sent).toEqual([
    ["housekeeping", ref.tenantId, { type: "purge-thing", ...ref }, undefined],
  ]);
});

test("keeps the tombstone of a run that started while others could write, even when their time ended during it", async () => {
  await bury(1_500);
  const passTime: PurgeStep = async () => {
    now = 1_600;
    return "done";
  };
  await purge([passTime]);
  expect(await isBuried()).toBe(true);
  expect(sent).toHaveLength(1);
  await purge([]);
  expect(await isBuried()).toBe(false);
});

test("requests the next run for the end of others' writes", async () => {
  await bury(61_000);
  await purge([]);
  expect(sent).toEqual([["housekeeping", ref.tenantId, { type: "purge-thing", ...ref }, 60]]);
});

test("deletes an item's objects before the item", async () => {
  await putItem(db, { Item: { ...itemKey("a"), content: { object: "one" } } });
  await putItem(db, { Item: { ...itemKey("b"), content: "not a value" } });
  const states: string[][] = [];
  await bury();
  const step = purgeItems({
    list,
    objects: ({ objects }) => objects,
    before: async () => void states.push(await listNames()),
  });
  await purge([step]);
  expect(states).toEqual([["a", "b"]]);
  expect(removedObjects).toEqual(["one"]);
  expect(await listNames()).toEqual([]);
});

test("deletes an item that leads to others after those of its batch, so that a purge after a crash finds them", {
  tags: "nightly",
}, async () => {
  // More than the 25 items that one call deletes, the one that leads to them in the first.
  for (let at = 0; at < 30; at += 1) await putItem(db, { Item: itemKey(`${at + 10}`) });
  await bury();
  const step = purgeItems({ list, isLast: ({ sk }) => sk === "10" });
  db.failNext("BatchWriteItem", 1);
  await expect(purge([step])).rejects.toThrow("planned failure");
  expect(await listNames()).toContain("10");
  await purge([step]);
  expect(await listNames()).toEqual([]);
});

test("deletes an item once that is listed twice", async () => {
  await putItem(db, { Item: itemKey("a") });
  await bury();
  const twice = async function* () {
    yield* list();
    yield* list();
  };
  await purge([purgeItems({ list: twice })]);
  expect(await listNames()).toEqual([]);
});
