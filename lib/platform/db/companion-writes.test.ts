import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { withCompanions } from "./companion-writes.ts";
import { ifExists, ifNew } from "./conditions.ts";
import { getItem } from "./get-item.ts";
import { patchItem } from "./patch-item.ts";
import { transact } from "./transact.ts";
import { deleteItem, putItem, updateItem } from "./write-item.ts";

const Stored = z.object({ status: z.string() });
const Companion = z.object({ writes: z.number() });

describe("a handle with companion writes", () => {
  let db: TestDatabase;
  let createdCount = 0;
  beforeAll(async () => {
    db = await testDatabase();
  });
  const newKey = () => {
    createdCount += 1;
    return { pk: `companion ${createdCount}`, sk: "s" };
  };
  const setUp = () => {
    const companionKey = newKey();
    const handle = withCompanions(db, (writes) => [
      { Put: { Item: { ...companionKey, writes: writes.length }, ...ifNew } },
    ]);
    return { handle, readCompanion: () => getItem(db, companionKey, Companion) };
  };

  test.each(["put", "update", "delete", "transaction"] as const)(
    "stores them in the transaction of its first %s, and only once",
    async (kind) => {
      const { handle, readCompanion } = setUp();
      const [key, other] = [newKey(), newKey()];
      await putItem(db, { Item: { ...key, status: "on" } });
      db.calls.length = 0;
      const write = {
        put: () => putItem(handle, { Item: { ...key, status: "off" } }),
        update: () => patchItem(handle, key, Stored, { set: { status: "off" } }),
        delete: () => deleteItem(handle, { Key: key, ...ifExists }),
        transaction: () => transact(handle, [{ Put: { Item: { ...key, status: "off" } } }]),
      }[kind];
      await write();
      expect(db.calls[0]).toBe("TransactWriteItems");
      expect(await readCompanion()).toEqual({ writes: 1 });
      const [first, second] = await Promise.all([
        putItem(handle, { Item: { ...other, status: "on" } }),
        putItem(handle, { Item: { ...newKey(), status: "on" } }),
      ]);
      expect([first.written, second.written]).toEqual([true, true]);
    },
  );

  test("keeps them for the next write after a failed condition, which returns the item as it is", async () => {
    const { handle, readCompanion } = setUp();
    const key = newKey();
    const item = { ...key, status: "on" };
    await putItem(db, { Item: item });
    expect(await putItem(handle, { Item: key, ...ifNew })).toEqual({ written: false, item });
    expect(await transact(handle, [{ Put: { Item: key, ...ifNew } }])).toEqual({
      written: false,
      failed: [true],
    });
    expect(await readCompanion()).toBeUndefined();
    expect(await deleteItem(handle, { Key: key, ...ifExists })).toMatchObject({ written: true });
    expect(await readCompanion()).toEqual({ writes: 1 });
  });

  test("keeps them after an error", async () => {
    const { handle, readCompanion } = setUp();
    const wrong = { Key: newKey(), UpdateExpression: "no expression" };
    await expect(updateItem(handle, wrong)).rejects.toThrow();
    await putItem(handle, { Item: { ...newKey(), status: "on" } });
    expect(await readCompanion()).toEqual({ writes: 1 });
  });

  test("returns nothing of an updated item that was deleted, and what was set of one that was changed meanwhile", async () => {
    const key = newKey();
    const meanwhile = async (action: () => Promise<unknown>) => {
      await putItem(db, { Item: { ...key, status: "on" } });
      db.beforeNext("GetItem", action);
      return patchItem(setUp().handle, key, Stored, { set: { status: "off" } });
    };
    expect(await meanwhile(() => deleteItem(db, { Key: key }))).toBeUndefined();
    const change = () => putItem(db, { Item: { ...key, status: "busy" } });
    expect(await meanwhile(change)).toEqual({ status: "off" });
  });

  test("returns the new attributes of an update", async () => {
    const { handle } = setUp();
    const key = newKey();
    await putItem(db, { Item: { ...key, status: "on", note: "n" } });
    const Noted = Stored.extend({ note: z.string() });
    expect(await patchItem(handle, key, Noted, { set: { status: "off" } })).toEqual({
      status: "off",
      note: "n",
    });
  });
});
