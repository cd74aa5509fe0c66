import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import {
  changeWhileHeld,
  type LeaseChange,
  type LeaseMembers,
  releaseLease,
  renewLease,
  takeLease,
  takeOverLease,
} from "./lease.ts";
import { putItem, updateItem } from "./write-item.ts";

let db: TestDatabase;
let items = 0;
let place: LeaseMembers;
beforeAll(async () => {
  db = await testDatabase();
});

type Update = ReturnType<typeof takeLease>;
const write = async (update: Update) => (await updateItem(db, update)).written;
const read = async () => {
  const { pk } = place.key;
  const { pk: _, sk: __, ...item } = (await db.scan()).find((stored) => stored.pk === pk) ?? {};
  return item;
};
const take = (holder: string, now: number, change?: LeaseChange) =>
  write(takeLease(place, { holder, until: now + 100 }, now, change));

const kinds: Record<string, Omit<LeaseMembers, "key">> = {
  "two members": { holder: "worker", until: "leaseUntil" },
  "a member of its own": { holder: "slot1.holder", until: "slot1.until", whole: "slot1" },
};

describe.each(Object.entries(kinds))("a lease that is %s", (_, members) => {
  beforeEach(() => {
    items += 1;
    place = { key: { pk: `item ${items}`, sk: "s" }, ...members };
  });

  test("is taken by the first, and by another from the millisecond of its expiry", async () => {
    expect(await take("a", 0)).toBe(true);
    expect(await take("b", 99)).toBe(false);
    expect(await take("b", 100)).toBe(true);
    expect(await take("a", 100)).toBe(false);
  });

  test("is taken again by its holder, as when the response to the first write was lost", async () => {
    expect(await take("a", 0)).toBe(true);
    expect(await take("a", 1)).toBe(true);
  });

  test("is renewed after its expiry, unless another holder took it", async () => {
    await take("a", 0);
    expect(await write(renewLease(place, { holder: "a", until: 500 }))).toBe(true);
    expect(await take("b", 400)).toBe(false);
    expect(await take("b", 500)).toBe(true);
    expect(await write(renewLease(place, { holder: "a", until: 900 }))).toBe(false);
  });

  test("is released by its holder alone, and is free immediately", async () => {
    await take("a", 0);
    expect(await write(releaseLease(place, { holder: "b" }))).toBe(false);
    expect(await write(releaseLease(place, { holder: "a" }))).toBe(true);
    expect(await read()).toEqual({});
    expect(await take("b", 1)).toBe(true);
  });
});

describe("a lease with other members", () => {
  beforeEach(() => {
    items += 1;
    place = { key: { pk: `item ${items}`, sk: "s" }, holder: "sync.worker", until: "sync.until" };
  });
  const put = (sync: object, others: object = {}) =>
    putItem(db, { Item: { ...place.key, sync, ...others } });

  test("is taken over as it was read: by one of two that read it", async () => {
    await put({ worker: "dead", until: 1_000, updates: 3 });
    const seen = { holder: "dead", until: 1_000 };
    expect(await write(takeOverLease(place, seen, { holder: "a", until: 2_000 }))).toBe(true);
    expect(await write(takeOverLease(place, seen, { holder: "b", until: 2_000 }))).toBe(false);
    expect(await read()).toEqual({ sync: { worker: "a", until: 2_000, updates: 3 } });
  });

  test("can be held without a holder until a time, and is then free", async () => {
    await put({ worker: "a", until: 1_000 });
    expect(await write(releaseLease(place, { holder: "a", until: 5_000 }))).toBe(true);
    expect(await read()).toEqual({ sync: { worker: null, until: 5_000 } });
    const seen = { holder: null, until: 5_000 };
    expect(await write(takeOverLease(place, seen, { holder: "b", until: 6_000 }))).toBe(true);
    expect(await write(takeOverLease(place, seen, { holder: "c", until: 6_000 }))).toBe(false);
  });

  test("is not taken where there is no item", async () => {
    const seen = { holder: null, until: 0 };
    expect(await write(takeOverLease(place, seen, { holder: "a", until: 1 }))).toBe(false);
    expect(await read()).toEqual({});
  });

  test("is renewed together with other members, if these have expected values", async () => {
    await put({ worker: "a", until: 1, updates: 0 }, { tokens: 5, old: true });
    const change = (updates: number): LeaseChange => ({
      set: { status: "Running", "sync.updates": updates, kept: undefined },
      setOnce: { startedAt: updates },
      add: { tokens: 2 },
      remove: ["old"],
      expect: { "sync.updates": updates - 1, error: undefined },
      where: {
        expression: "#status <> :ended OR attribute_not_exists(#status)",
        values: { ":ended": "Ended" },
      },
    });
    expect(await write(renewLease(place, { holder: "a", until: 2 }, change(2)))).toBe(false);
    expect(await write(renewLease(place, { holder: "a", until: 2 }, change(1)))).toBe(true);
    expect(await write(renewLease(place, { holder: "a", until: 3 }, change(2)))).toBe(true);
    expect(await read()).toEqual({
      status: "Running",
      startedAt: 1,
      tokens: 9,
      sync: { worker: "a", until: 3, updates: 2 },
    });
    expect(await write(changeWhileHeld(place, "a", { set: { status: "Ended" } }))).toBe(true);
    expect(await write(renewLease(place, { holder: "a", until: 4 }, change(3)))).toBe(false);
  });

  test("is the condition of a change by its holder", async () => {
    await put({ worker: "a", until: 1 });
    expect(await write(changeWhileHeld(place, "b", { set: { sync: null } }))).toBe(false);
    expect(await write(changeWhileHeld(place, "a", { set: { sync: null } }))).toBe(true);
    expect(await read()).toEqual({ sync: null });
  });
});
