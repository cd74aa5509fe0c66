import { PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import type { FaultName } from "../../../test/faults/fault-kinds.ts";
import { type FaultProxy, startFaultProxy } from "../../../test/faults/fault-proxy.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { insertTogether } from "./insert-together.ts";
import { transact } from "./transact.ts";

describe("a write with a lost response", () => {
  let proxy: FaultProxy;
  let db: TestDatabase;
  beforeAll(async () => {
    proxy = await startFaultProxy();
    proxy.attach(inject("dynamodbEndpoint"));
    db = await testDatabase(proxy.endpoint);
  });
  afterAll(() => proxy.close());
  beforeEach(() => proxy.decide(() => undefined));

  const failOnce = (operation: string, ...faults: readonly FaultName[]): void => {
    const left = [...faults];
    proxy.decide((call) => (call.operation === operation ? left.shift() : undefined));
  };
  const put = (pk: string, owner: string) =>
    db.client.send(
      new PutCommand({
        TableName: db.table,
        Item: { pk, sk: "s", owner, count: 1 },
        ConditionExpression: "attribute_not_exists(pk)",
      }),
    );
  const claim = (pk: string, owner: string) =>
    db.client.send(
      new UpdateCommand({
        TableName: db.table,
        Key: { pk, sk: "s" },
        UpdateExpression: "SET #owner = :owner, #count = #count + :one",
        ConditionExpression: "#owner = :nobody",
        ExpressionAttributeNames: { "#owner": "owner", "#count": "count" },
        ExpressionAttributeValues: { ":owner": owner, ":nobody": "nobody", ":one": 1 },
        ReturnValues: "ALL_NEW",
      }),
    );
  const losses: readonly FaultName[] = ["500 after the call", "cut after the call"];

  for (const loss of losses) {
    test(`(${loss}) is recognized by the retry of a conditional put`, async () => {
      failOnce("PutItem", loss);
      await put(`put ${loss}`, "me");
      expect(await db.scan()).toContainEqual({ pk: `put ${loss}`, sk: "s", owner: "me", count: 1 });
    });

    test(`(${loss}) is recognized by the retry of a conditional update, and done once`, async () => {
      await put(`update ${loss}`, "nobody");
      failOnce("UpdateItem", loss);
      const { Attributes } = await claim(`update ${loss}`, "me");
      expect(Attributes).toEqual({ pk: `update ${loss}`, sk: "s", owner: "me", count: 2 });
    });

    test(`(${loss}) is recognized by the retry of several inserts`, async () => {
      await put(`other ${loss}`, "another");
      failOnce("BatchExecuteStatement", loss);
      const items = [`insert ${loss}`, `other ${loss}`].map((pk) => ({
        pk,
        sk: "s",
        owner: "me",
        bytes: Buffer.from("packed"),
        undefinedMember: undefined,
        nested: { trigger: null, count: 0.5 },
      }));
      expect(await insertTogether(db, items)).toEqual(["written", "exists"]);
      expect(await insertTogether(db, items)).toEqual(["exists", "exists"]);
      expect(await db.scan()).toContainEqual({
        pk: `other ${loss}`,
        sk: "s",
        owner: "another",
        count: 1,
      });
    });

    test(`(${loss}) is not written again by the retry of a transaction`, {
      tags: "nightly",
    }, async () => {
      failOnce("TransactWriteItems", loss, "ThrottlingException", loss);
      const add = {
        Key: { pk: `transaction ${loss}`, sk: "s" },
        UpdateExpression: "ADD #count :one",
        ExpressionAttributeNames: { "#count": "count" },
        ExpressionAttributeValues: { ":one": 1 },
      };
      expect(await transact(db, [{ Update: add }])).toEqual({ written: true });
      expect(await db.scan()).toContainEqual({ pk: `transaction ${loss}`, sk: "s", count: 1 });
    });
  }

  test("several inserts that a busy table refused are retried separately", async () => {
    failOnce("BatchExecuteStatement", "batch left undone", "batch left undone");
    const items = Array.from({ length: 27 }, (_, at) => ({ pk: `busy ${at}`, sk: "s" }));
    db.calls.length = 0;
    expect(await insertTogether(db, items)).toEqual(items.map(() => "written"));
    expect(db.calls).toEqual(Array.from({ length: 4 }, () => "BatchExecuteStatement"));
  });

  test("is recognized whatever types its values have", async () => {
    const Item = {
      pk: "types",
      sk: "s",
      bytes: Buffer.from("sealed"),
      sealed: { keys: [new Uint8Array([1, 2, 3])], N: "a name" },
      small: 1e-7,
      cost: 0.1 + 0.2,
      large: 9e15,
      names: new Set(["z", "b", "a"]),
      counts: new Set([10, 2, 1e-7]),
      none: null,
      flag: true,
    };
    failOnce("PutItem", "500 after the call");
    const ConditionExpression = "attribute_not_exists(pk)";
    await db.client.send(new PutCommand({ TableName: db.table, Item, ConditionExpression }));
  });

  test("makes no later write of the same successful", async () => {
    failOnce("PutItem", "500 after the call");
    await put("twice", "me");
    await expect(put("twice", "me")).rejects.toThrow("conditional request failed");
  });

  test("is still refused when another has written the item", async () => {
    await put("other", "other");
    failOnce("PutItem", "500 before the call");
    await expect(put("other", "me")).rejects.toThrow("conditional request failed");
    failOnce("UpdateItem", "500 before the call");
    await expect(claim("other", "me")).rejects.toThrow("conditional request failed");
  });

  test.each([
    "cancelled: TransactionConflict",
    "cancelled: ThrottlingError",
    "cancelled: ProvisionedThroughputExceeded",
    "TransactionInProgressException",
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
  ] as const)("a transaction refused with %s is retried", { tags: "nightly" }, async (fault) => {
    failOnce("TransactWriteItems", fault, fault, fault, fault);
    const Item = { pk: fault, sk: "s" };
    expect(await transact(db, [{ Put: { Item } }])).toEqual({ written: true });
    expect(await db.scan()).toContainEqual(Item);
  });
});
