import { once } from "node:events";
import { createServer, request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createCallCounts, createSharedCounts } from "../../infra/local/access/call-counts.ts";
import { signedAs } from "../../infra/local/access/caller.ts";
import { routeToEngine } from "../../infra/local/functions/route-to-engine.ts";

/** A server that responds with its name, and the bodies that it received. */
const serve = async (name: string) => {
  const bodies: string[] = [];
  const server = createServer(async (incoming, response) => {
    bodies.push(await text(incoming));
    response.end(name);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("no address");
  afterAll(() => server.close());
  return { url: `http://127.0.0.1:${address.port}`, port: address.port, bodies };
};

const services = await serve("services");
const engine = await serve("engine");
const elsewhere = await serve("elsewhere");
beforeEach(() => {
  for (const { bodies } of [services, engine, elsewhere]) bodies.length = 0;
});

const table = "arn:aws:dynamodb:us-east-1:000000000000:table/t";
const shared = createSharedCounts(["other", "keyed"]);
const counts = createCallCounts(shared);
const send = routeToEngine(
  request,
  {
    services: services.url,
    engine: engine.url,
    statements: [
      {
        allow: true,
        actions: ["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"],
        resources: [table],
        conditions: [
          {
            operator: "ForAllValues:StringLike",
            key: "dynamodb:LeadingKeys",
            values: ["RATE#*"],
          },
        ],
      },
    ],
    partitionKeys: new Map([[table, "pk"]]),
    counts: shared,
  },
  { caller: "keyed", token: "secret" },
);

type Call = {
  operation?: string;
  service?: string;
  caller?: string;
  token?: string;
  port?: number;
  body?: string;
};

const key = (pk: string) => ({ pk: { S: pk }, sk: { S: "s" } });
const get = (pk: string) => JSON.stringify({ TableName: "t", Key: key(pk) });

/** Returns the name of the server that responded. */
const call = async ({
  operation = "GetItem",
  service = "DynamoDB_20120810",
  caller = "keyed",
  token = "secret",
  port = services.port,
  body = get("RATE#1"),
}: Call): Promise<string> => {
  const sent = send({
    host: "127.0.0.1",
    port,
    method: "POST",
    path: "/",
    headers: {
      "x-amz-target": `${service}.${operation}`,
      "x-amz-security-token": token,
      authorization: signedAs(caller, "dynamodb"),
    },
  });
  const responded = once(sent, "response");
  sent.end(body);
  const [response] = await responded;
  return text(response);
};

describe("calls of a function to DynamoDB", () => {
  test("an allowed call goes to the engine and is counted", async () => {
    counts.reset();
    expect(await call({})).toBe("engine");
    expect(engine.bodies).toEqual([get("RATE#1")]);
    expect(services.bodies).toEqual([]);
    const put = { Put: { TableName: "t", Item: key("RATE#1") } };
    const update = { Update: { TableName: "t", Key: key("RATE#2") } };
    const body = JSON.stringify({ TransactItems: [put, update] });
    expect(await call({ operation: "TransactWriteItems", body })).toBe("engine");
    const keyed = { "dynamodb:GetItem": 1, "dynamodb:PutItem": 1, "dynamodb:UpdateItem": 1 };
    expect(counts.read()).toEqual({ keyed });
    expect(counts.read()).toEqual({ keyed });
    counts.reset();
    expect(counts.read()).toEqual({});
  });

  test.each([
    ["of another key", { body: get("ORG#1") }],
    ["of another action", { operation: "DeleteItem" }],
    ["of another table", { body: JSON.stringify({ TableName: "u", Key: key("RATE#1") }) }],
    [
      "with one of several keys that is not allowed",
      {
        operation: "TransactGetItems",
        body: JSON.stringify({
          TransactItems: ["RATE#1", "ORG#1"].map((pk) => ({
            Get: { TableName: "t", Key: key(pk) },
          })),
        }),
      },
    ],
    ["of an unknown operation", { operation: "ExecuteStatement" }],
    ["that is malformed", { body: "{" }],
    ["with the credentials of another function", { caller: "other" }],
    ["of a function with a name that begins with this one's", { caller: "keyed-2" }],
    ["without this start's token", { token: "old" }],
    ["to another service", { service: "AmazonSQS", operation: "SendMessage" }],
  ])("a call %s goes to the services, which respond to it", async (_, wrong: Call) => {
    counts.reset();
    expect(await call(wrong)).toBe("services");
    expect(services.bodies).toEqual([wrong.body ?? get("RATE#1")]);
    expect(engine.bodies).toEqual([]);
    expect(counts.read()).toEqual({});
  });

  test("a call to another server goes there", async () => {
    expect(await call({ port: elsewhere.port })).toBe("elsewhere");
  });

  test("a call with a listener of its response is sent as it is", async () => {
    const headers = {
      "x-amz-target": "DynamoDB_20120810.GetItem",
      "x-amz-security-token": "secret",
      authorization: signedAs("keyed", "dynamodb"),
    };
    const options = { host: "127.0.0.1", port: services.port, method: "POST", headers };
    const { promise, resolve } = Promise.withResolvers<Parameters<typeof text>[0]>();
    send(options, resolve).end(get("RATE#1"));
    expect(await text(await promise)).toBe("services");
  });

  test("a lost connection is an error of the request, and a destroyed request ends", async () => {
    const closed = routeToEngine(
      () => request({ host: "127.0.0.1", port: 1 }),
      {
        services: services.url,
        engine: engine.url,
        statements: [{ allow: true, actions: ["*"], resources: ["*"], conditions: [] }],
        partitionKeys: new Map(),
        counts: shared,
      },
      { caller: "keyed", token: "secret" },
    );
    const options = {
      host: "127.0.0.1",
      port: services.port,
      headers: {
        "x-amz-target": "DynamoDB_20120810.GetItem",
        "x-amz-security-token": "secret",
        authorization: signedAs("keyed", "dynamodb"),
      },
    };
    const lost = closed(options);
    const failed = once(lost, "error");
    lost.end(get("RATE#1"));
    expect((await failed)[0]).toMatchObject({ code: "ECONNREFUSED" });
    const destroyed = closed(options);
    const ended = once(destroyed, "error");
    destroyed.end(get("RATE#1"));
    destroyed.destroy(new Error("too late"));
    expect((await ended)[0]).toMatchObject({ message: "too late" });
  });
});
