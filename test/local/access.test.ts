import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dynamodbAccess } from "../../infra/local/access/dynamodb.ts";
import { s3Access } from "../../infra/local/access/s3.ts";
import { sqsAccess } from "../../infra/local/access/sqs.ts";
import { createAuthorizer } from "../../infra/local/template/authorizer.ts";
import type { PolicyStatement } from "../../infra/local/template/policies.ts";
import { wildcard } from "../../infra/local/template/wildcard.ts";

const table = "arn:aws:dynamodb:us-east-1:000000000000:table/T";
const partitionKeys = new Map([
  [table, "pk"],
  [`${table}/index/gsi1`, "gsi1pk"],
]);
const statement = (changes: Partial<PolicyStatement>): PolicyStatement => ({
  allow: true,
  actions: ["dynamodb:*"],
  resources: ["*"],
  conditions: [],
  ...changes,
});
const key = (pk: string) => ({ pk: { S: pk }, sk: { S: "s" } });

const allowed = (statements: PolicyStatement[], operation: string, body: unknown): boolean => {
  const authorizer = createAuthorizer(new Map([["fn", statements]]));
  const accesses = dynamodbAccess(operation, body, partitionKeys) ?? [];
  return accesses.length > 0 && accesses.every((access) => authorizer("fn", access));
};

const operations = ["GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query"];

describe("IAM", () => {
  test("an action is allowed only if a statement grants it", () => {
    fc.assert(
      fc.property(fc.subarray(operations), fc.constantFrom(...operations), (granted, used) => {
        const statements = [
          statement({ actions: granted.map((name) => `dynamodb:${name}`), resources: [table] }),
        ];
        expect(allowed(statements, used, { TableName: "T" })).toBe(granted.includes(used));
      }),
    );
  });

  test("an unknown caller has no permissions", () => {
    const authorizer = createAuthorizer(new Map([["fn", [statement({})]]]));
    expect(authorizer("other", { action: "dynamodb:GetItem", resource: table })).toBe(false);
  });

  test("an explicit Deny overrides every Allow", () => {
    const deny = statement({ allow: false, actions: ["dynamodb:Put*"] });
    expect(allowed([statement({}), deny], "PutItem", { TableName: "T" })).toBe(false);
    expect(allowed([statement({}), deny], "GetItem", { TableName: "T" })).toBe(true);
  });

  test("a table, its indexes and other tables are separate resources", () => {
    const own = [statement({ resources: [table] })];
    expect(allowed(own, "Query", { TableName: "U" })).toBe(false);
    expect(allowed(own, "Query", { TableName: "T", IndexName: "gsi1" })).toBe(false);
    expect(
      allowed([statement({ resources: [`${table}/index/*`] })], "Query", {
        TableName: "T",
        IndexName: "gsi1",
      }),
    ).toBe(true);
  });

  test("* matches any text, ? one character, and other characters match themselves", () => {
    const plain = fc.string().map((text) => text.replaceAll(/[*?]/g, ""));
    fc.assert(
      fc.property(plain, fc.string(), plain, (before, between, after) => {
        expect(wildcard(`${before}*${after}`)(`${before}${between}${after}`)).toBe(true);
        expect(wildcard(`${before}?${after}`)(`${before}x${after}`)).toBe(true);
        expect(wildcard(`${before}?${after}`)(`${before}${after}`)).toBe(false);
      }),
    );
    expect(wildcard("a.b*")("axb")).toBe(false);
    expect(wildcard("a*")("ba")).toBe(false);
  });
});

describe("leading keys", () => {
  const limited = [
    statement({
      conditions: [
        {
          operator: "ForAllValues:StringLike",
          key: "dynamodb:LeadingKeys",
          values: ["RATE#*", "KEYHASH#*"],
        },
      ],
    }),
  ];

  test("only items with a matching partition key are accessible", () => {
    fc.assert(
      fc.property(fc.constantFrom("RATE#", "KEYHASH#", "ORG#", ""), fc.string(), (prefix, rest) => {
        const fits = /^(RATE#|KEYHASH#)/.test(prefix + rest);
        expect(allowed(limited, "UpdateItem", { TableName: "T", Key: key(prefix + rest) })).toBe(
          fits,
        );
        expect(allowed(limited, "PutItem", { TableName: "T", Item: key(prefix + rest) })).toBe(
          fits,
        );
      }),
    );
  });

  test("every key of a batch must match", () => {
    const keys = (...all: string[]) => ({ RequestItems: { T: { Keys: all.map(key) } } });
    expect(allowed(limited, "BatchGetItem", keys("RATE#1", "RATE#2"))).toBe(true);
    expect(allowed(limited, "BatchGetItem", keys("RATE#1", "ORG#2"))).toBe(false);
  });

  test("statements that insert items are authorized by their keys, and no others are supported", () => {
    const inserts = (...all: string[]) => ({
      Statements: all.map((pk) => ({
        Statement: `INSERT INTO "T" VALUE {'sk': ?, 'pk': ?}`,
        Parameters: [{ S: "s" }, { S: pk }],
      })),
    });
    expect(allowed(limited, "BatchExecuteStatement", inserts("RATE#1", "RATE#2"))).toBe(true);
    expect(allowed(limited, "BatchExecuteStatement", inserts("RATE#1", "ORG#2"))).toBe(false);
    const put = [statement({ actions: ["dynamodb:PutItem"] })];
    expect(allowed(put, "BatchExecuteStatement", inserts("a"))).toBe(false);
    const deletion = { Statement: `DELETE FROM "T" WHERE pk = ?`, Parameters: [{ S: "a" }] };
    const mixed = { Statements: [...inserts("a").Statements, deletion] };
    expect(dynamodbAccess("BatchExecuteStatement", mixed, partitionKeys)).toBeUndefined();
  });

  test("a query's partition key is found through name placeholders and in indexes", () => {
    const query = (attribute: string, value: string, index?: string) => ({
      TableName: "T",
      ...(index && { IndexName: index }),
      KeyConditionExpression: "#a = :v AND begins_with(sk, :s)",
      ExpressionAttributeNames: { "#a": attribute },
      ExpressionAttributeValues: { ":v": { S: value }, ":s": { S: "x" } },
    });
    expect(allowed(limited, "Query", query("pk", "RATE#1"))).toBe(true);
    expect(allowed(limited, "Query", query("pk", "ORG#1"))).toBe(false);
    expect(allowed(limited, "Query", query("gsi1pk", "ORG#1", "gsi1"))).toBe(false);
  });
});

describe("transactions", () => {
  const write = {
    TransactItems: [
      { Put: { TableName: "T", Item: key("a") } },
      { Update: { TableName: "T", Key: key("b") } },
      { Delete: { TableName: "T", Key: key("c") } },
      { ConditionCheck: { TableName: "T", Key: key("d") } },
    ],
  };
  const needed = ["PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"];

  test("every element requires the permission of its action", () => {
    fc.assert(
      fc.property(fc.subarray(needed), (granted) => {
        const statements = [statement({ actions: granted.map((name) => `dynamodb:${name}`) })];
        expect(allowed(statements, "TransactWriteItems", write)).toBe(
          granted.length === needed.length,
        );
      }),
    );
  });

  test("every element is authorized on its own table, and reads require GetItem", () => {
    const own = [statement({ resources: [table] })];
    expect(
      allowed(own, "TransactWriteItems", {
        TransactItems: [...write.TransactItems, { Put: { TableName: "U", Item: key("a") } }],
      }),
    ).toBe(false);
    const read = { TransactItems: [{ Get: { TableName: "T", Key: key("a") } }] };
    expect(allowed([statement({ actions: ["dynamodb:GetItem"] })], "TransactGetItems", read)).toBe(
      true,
    );
    expect(
      allowed([statement({ actions: ["dynamodb:TransactGetItems"] })], "TransactGetItems", read),
    ).toBe(false);
  });
});

describe("queues and objects", () => {
  test("a batch to a queue is authorized as its single action", () => {
    expect(sqsAccess("SendMessageBatch", { QueueUrl: "http://h/000000000000/q" })).toEqual({
      action: "sqs:SendMessage",
      resource: "arn:aws:sqs:us-east-1:000000000000:q",
    });
  });

  test.each([
    ["GET", "/b/a%20b/c", "s3:GetObject", "arn:aws:s3:::b/a b/c"],
    ["HEAD", "/b/k", "s3:GetObject", "arn:aws:s3:::b/k"],
    ["PUT", "/b/k?x-id=PutObject", "s3:PutObject", "arn:aws:s3:::b/k"],
    ["DELETE", "/b/k", "s3:DeleteObject", "arn:aws:s3:::b/k"],
    ["GET", "/b?list-type=2", "s3:ListBucket", "arn:aws:s3:::b"],
    ["POST", "/b?delete", "s3:DeleteObject", "arn:aws:s3:::b/*"],
  ])("%s %s is %s", (method, url, action, resource) => {
    expect(s3Access({ method, url, copySource: undefined })).toEqual([{ action, resource }]);
  });

  test("unsupported operations are denied", () => {
    expect(s3Access({ method: "PUT", url: "/b?policy", copySource: undefined })).toBeUndefined();
    expect(dynamodbAccess("ExecuteStatement", {}, partitionKeys)).toBeUndefined();
  });
});
