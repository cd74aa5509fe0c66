import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { checkExists, ifExists, ifNew } from "./conditions.ts";
import { getItem } from "./get-item.ts";
import { getItems } from "./get-items.ts";
import { patch, patchItem } from "./patch-item.ts";
import { retryOnConflict } from "./retry-on-conflict.ts";
import { transact } from "./transact.ts";
import { deleteItem, putItem, updateItem } from "./write-item.ts";

const Named = z.object({
  name: z.string().optional(),
  status: z.string(),
  note: z.string().nullish(),
});

describe("one item", () => {
  let db: TestDatabase;
  let createdCount = 0;
  beforeAll(async () => {
    db = await testDatabase();
  });
  const newKey = () => {
    createdCount += 1;
    return { pk: `item ${createdCount}`, sk: "s" };
  };
  const stored = async (members: object) => {
    const key = newKey();
    await putItem(db, { Item: { ...key, ...members } });
    db.calls.length = 0;
    return key;
  };

  test("getItem returns the parsed item in one call, and undefined for one that does not exist", async () => {
    const key = await stored({ name: "a", status: "on", other: 1 });
    expect(await getItem(db, key, Named)).toEqual({ name: "a", status: "on" });
    expect(await getItem(db, newKey(), Named)).toBeUndefined();
    expect(db.calls).toEqual(["GetItem", "GetItem"]);
  });

  test("getItem reads only the given members, reserved words among them", async () => {
    const key = await stored({ name: "a", status: "on", note: "n" });
    expect(await getItem(db, key, Named, ["status", "note"])).toEqual({ status: "on", note: "n" });
  });

  test("getItems returns items in the order of their keys, repeated and missing ones included", async () => {
    const one = await stored({ status: "one" });
    const two = await stored({ status: "two" });
    const found = await getItems(db, [two, newKey(), one, two], Named);
    expect(found.map((item) => item?.status)).toEqual(["two", undefined, "one", "two"]);
    expect(db.calls).toEqual(["BatchGetItem"]);
  });

  test("a failed condition returns the stored item", async () => {
    const key = await stored({ status: "on" });
    const item = { ...key, status: "on" };
    expect(await putItem(db, { Item: key, ...ifNew })).toEqual({ written: false, item });
    expect(
      await deleteItem(db, { Key: key, ConditionExpression: "attribute_not_exists(pk)" }),
    ).toEqual({ written: false, item });
    expect(await deleteItem(db, { Key: newKey(), ...ifExists })).toEqual({
      written: false,
      item: undefined,
    });
  });

  test("a write returns the attributes that it requests", async () => {
    const key = await stored({ status: "on" });
    const update = patch(key, { set: { status: "off" } });
    expect(await updateItem(db, update)).toEqual({ written: true, item: undefined });
    const next = patch(key, { set: { status: "on" } });
    expect(await updateItem(db, { ...next, ReturnValues: "ALL_NEW" })).toEqual({
      written: true,
      item: { ...key, status: "on" },
    });
  });

  test("patchItem sets the given members, keeps undefined ones, and returns the item in one call", async () => {
    const key = await stored({ name: "a", status: "on" });
    const set = { name: undefined, status: "off", note: null };
    expect(await patchItem(db, key, Named, { set })).toEqual({
      name: "a",
      status: "off",
      note: null,
    });
    expect(db.calls).toEqual(["UpdateItem"]);
  });

  test("patchItem creates nothing for an item that does not exist", async () => {
    const key = newKey();
    expect(await patchItem(db, key, Named, { set: { status: "off" } })).toBeUndefined();
    expect(await getItem(db, key, Named)).toBeUndefined();
  });

  test.each([
    ["is another value", { status: "off" }, false],
    ["is null for a value", { status: null }, false],
    ["is present for an absent one", { name: undefined }, false],
    ["is equal, null, and absent", { name: "a", note: null, more: undefined }, true],
  ])(
    "patchItem is refused unless all expected members match: %s",
    async (_, expect_, isWritten) => {
      const key = await stored({ name: "a", status: "on", note: null });
      const after = await patchItem(db, key, Named, { set: { status: "new" }, expect: expect_ });
      expect(after?.status).toBe(isWritten ? "new" : undefined);
    },
  );

  test("patchItem compares a member that it also sets with its value before", async () => {
    const key = await stored({ status: "on" });
    const change = { set: { status: "off" }, expect: { status: "on" } };
    expect(await patchItem(db, key, Named, change)).toEqual({ status: "off" });
    expect(await patchItem(db, key, Named, change)).toBeUndefined();
  });

  test("a patch and a check in a transaction write all or nothing", async () => {
    const key = await stored({ status: "on" });
    const update = { Update: patch(key, { set: { status: "off" } }) };
    const missing = await transact(db, [update, checkExists(newKey())]);
    expect(missing).toEqual({ written: false, failed: [false, true] });
    expect(await transact(db, [update])).toEqual({ written: true });
    expect(await getItem(db, key, Named)).toEqual({ status: "off" });
  });
});

describe("retryOnConflict", () => {
  const error = () => new Error("changed too often");

  test("returns the first result that is not a conflict", async () => {
    const outcomes = ["changed", "changed", "written"] as const;
    const result = await retryOnConflict({ error }, async (attempt) => outcomes[attempt]);
    expect(result).toBe("written");
  });

  test("throws the given error after the last attempt", async () => {
    const attempts: number[] = [];
    const tryWrite = async (attempt: number) => {
      attempts.push(attempt);
      return "changed" as const;
    };
    await expect(retryOnConflict({ attempts: 3, error }, tryWrite)).rejects.toThrow("too often");
    await expect(retryOnConflict({ error }, tryWrite)).rejects.toThrow("too often");
    expect(attempts).toEqual([0, 1, 2, 0, 1, 2, 3, 4]);
  });

  test("does not retry an error", async () => {
    let calls = 0;
    const failing = async () => {
      calls += 1;
      throw new Error("refused");
    };
    await expect(retryOnConflict({ error }, failing)).rejects.toThrow("refused");
    expect(calls).toBe(1);
  });
});
