import { beforeEach, expect, test } from "vitest";
import { testRuntime } from "../../../test/harness/runtime.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { manualTimers } from "../../../test/harness/timers.ts";
import { createTenantSlots, slotLeaseMs } from "./tenant-slots.ts";

let db: TestDatabase;
let runtime: ReturnType<typeof testRuntime>;
let timers: ReturnType<typeof manualTimers>;

beforeEach(async () => {
  db = await testDatabase();
  runtime = testRuntime();
  timers = manualTimers(runtime.clock, runtime.advance);
});

/** Slots of another function instance. */
const instance = (limit: number) =>
  createTenantSlots({ db, pool: "calls", limit, runtime, sleep: timers.sleep });
const present = <Value>(values: readonly (Value | undefined)[]): Value[] =>
  values.flatMap((value) => (value === undefined ? [] : [value]));

test("of 50 instances that take at the same moment, exactly as many as the limit get a slot", {
  tags: "nightly",
}, async () => {
  const taken = present(
    await Promise.all(Array.from({ length: 50 }, () => instance(10).take("t"))),
  );
  expect(taken.length).toBeLessThanOrEqual(10);
  const later = [];
  for (let at = taken.length; at < 12; at += 1) later.push(await instance(10).take("t"));
  expect(taken.length + present(later).length).toBe(10);
});

test("tenants have separate slots", async () => {
  await instance(1).take("t");
  expect(await instance(1).take("t")).toBeUndefined();
  expect(await instance(1).take("other")).toBeDefined();
});

test("the slot of an instance that died is free when its lease is over", async () => {
  const dead = createTenantSlots({
    db,
    pool: "calls",
    limit: 1,
    runtime,
    sleep: () => new Promise(() => undefined),
  });
  await dead.take("t");
  const other = instance(1);
  expect(await other.take("t")).toBeUndefined();
  runtime.advance(slotLeaseMs);
  expect(await other.take("t")).toBeDefined();
});

test("continuing work keeps its slot", { tags: "nightly" }, async () => {
  const slot = await instance(1).take("t");
  for (let renewals = 1; renewals <= 5; renewals += 1) {
    timers.pass(6_000);
    await expect.poll(() => db.calls.length).toBe(1 + renewals);
    await expect.poll(() => timers.waiting()).toBe(1);
  }
  expect(await instance(1).take("t")).toBeUndefined();
  await slot?.release();
  expect(await instance(1).take("t")).toBeDefined();
});

test("work after work costs no call to the storage while the lease is valid, and one when it is over", async () => {
  const slots = instance(10);
  for (let piece = 0; piece < 100; piece += 1) {
    await (await slots.take("t"))?.release();
    runtime.advance(100);
  }
  expect(db.calls).toEqual(["UpdateItem"]);
  runtime.advance(slotLeaseMs);
  await (await slots.take("t"))?.release();
  expect(db.calls).toEqual(["UpdateItem", "UpdateItem"]);
});

test("an idle slot that another instance took after its lease is not used again", async () => {
  const slots = instance(1);
  const other = instance(1);
  await (await slots.take("t"))?.release();
  await (await slots.take("t"))?.release();
  runtime.advance(slotLeaseMs);
  expect(await other.take("t")).toBeDefined();
  expect(await slots.take("t")).toBeUndefined();
});

test("idle slots do not block other instances: they are freed when half of the slots are taken", {
  tags: "nightly",
}, async () => {
  for (let at = 0; at < 20; at += 1) await (await instance(4).take("t"))?.release();
  const taken = present([await instance(4).take("t"), await instance(4).take("t")]);
  expect(taken).toHaveLength(2);
});

test("a full tenant costs one look a second", async () => {
  await instance(1).take("t");
  const slots = instance(1);
  const before = db.calls.length;
  for (let at = 0; at < 10; at += 1) expect(await slots.take("t")).toBeUndefined();
  expect(db.calls.length - before).toBe(1);
});

test("concurrent calls of an instance take slots one after another, and stop trying once all are taken", async () => {
  const slots = instance(5);
  const taken = await Promise.all(Array.from({ length: 100 }, () => slots.take("t")));
  expect(present(taken)).toHaveLength(5);
  expect(db.calls).toHaveLength(6);
});

test("work continues without a slot when the storage fails", async () => {
  db.failNext("UpdateItem");
  const slot = await instance(1).take("t");
  expect(slot).toBeDefined();
  await slot?.release();
  expect(await instance(1).take("t")).toBeDefined();
});

test("a slot is taken once when the storage's response is lost", async () => {
  db.loseNextResponse("UpdateItem");
  await (await instance(2).take("t"))?.release();
  expect(await instance(2).take("t")).toBeDefined();
});
