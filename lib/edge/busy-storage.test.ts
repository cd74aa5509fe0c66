import { randomUUID } from "node:crypto";
import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import middy from "@middy/core";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from "vitest";
import * as z from "zod";
import type { FaultName } from "../../test/faults/fault-kinds.ts";
import { type FaultProxy, startFaultProxy } from "../../test/faults/fault-proxy.ts";
import { testRuntime } from "../../test/harness/runtime.ts";
import { type TestDatabase, testDatabase } from "../../test/harness/table.ts";
import { sampleHttpEvent } from "../../test/suites/sample-event.ts";
import { countAddressRequest } from "../platform/auth/store.ts";
import type { Once } from "../platform/http/call-context.ts";
import { type InTenant, type Link, toHandler } from "./context.ts";
import type { Claimed } from "./idempotency/claim.ts";
import { idempotency } from "./idempotency/idempotency.ts";
import type { Parsed } from "./parse-request.ts";
import { problemDetails } from "./problem-details.ts";
import { requestContext } from "./request-context.ts";
import { createDefineRoute, type Row } from "./route.ts";
import { shapeResponse } from "./shape-response.ts";

/** Lets the logger write through the console, which is kept quiet here. */
vi.stubEnv("POWERTOOLS_DEV", "true");
for (const name of ["info", "warn", "error", "log"] as const) {
  vi.spyOn(console, name).mockImplementation(() => undefined);
}

const row = createDefineRoute("test")({
  operation: "make-thing",
  method: "POST",
  path: "/things",
  summary: "Make a thing",
  scope: "agents:write",
  body: z.looseObject({}).meta({ example: {} }),
  response: { status: 201, schema: z.object({ id: z.string() }) },
});

/** Each look at it is three seconds later: retries end after a few, without waiting. */
const fastClock = (): (() => number) => {
  let now = Date.now();
  return () => {
    now += 3_000;
    return now;
  };
};

describe("storage that is busy", () => {
  let proxy: FaultProxy;
  let db: TestDatabase;
  beforeAll(async () => {
    proxy = await startFaultProxy();
    proxy.attach(inject("dynamodbEndpoint"));
    db = await testDatabase(proxy.endpoint, fastClock());
  });
  afterAll(() => proxy.close());
  beforeEach(() => proxy.decide(() => undefined));

  const stayBusy = (operation: string, fault: FaultName): void =>
    proxy.decide((call) => (call.operation === operation ? fault : undefined));

  const send = async (key: string, work: (once: Once | undefined) => Promise<unknown>) => {
    const sample = sampleHttpEvent(row);
    const event = z.custom<APIGatewayProxyEvent>().parse({
      ...sample,
      body: "{}",
      isBase64Encoded: false,
      multiValueHeaders: { ...sample.multiValueHeaders, "Idempotency-Key": [key] },
      requestContext: { ...sample.requestContext, requestId: randomUUID() },
    });
    const principal = { type: "User", id: "ada", organizationId: "org" };
    const checked: Link<InTenant & Parsed<Row>> = {
      before: ({ context }) => {
        const input = { params: {}, query: {} };
        Object.assign(context, { database: () => db, principal, tenant: undefined, input });
      },
    };
    const handler = toHandler(
      middy<APIGatewayProxyEvent>({ timeoutEarlyInMillis: 0 })
        .use(requestContext(row, testRuntime()))
        .use(problemDetails(row))
        .use(checked)
        .use(idempotency(row, {}))
        .use(shapeResponse(row))
        .handler((_, context) =>
          work(
            z.looseObject({ claimed: z.custom<Claimed>().optional() }).parse(context).claimed?.once,
          ),
        ),
    );
    const lambda = { awsRequestId: "lambda", getRemainingTimeInMillis: () => 29_000 };
    const { statusCode, headers, body } = await handler(event, lambda);
    return { status: statusCode, headers, body: JSON.parse(body) };
  };

  test.each([
    "ThrottlingException",
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "500 before the call",
    "cut before the call",
  ] as const)("is 503 with Retry-After (%s)", async (fault) => {
    stayBusy("GetItem", fault);
    const read = new GetCommand({ TableName: db.table, Key: { pk: "a", sk: "b" } });
    expect(await send(randomUUID(), () => db.client.send(read))).toMatchObject({
      status: 503,
      headers: { "Retry-After": "5" },
      body: { type: "/problems/service-unavailable", status: 503 },
    });
  });

  test("lets a request be repeated immediately with the same Idempotency-Key, with the tokens of all runs before", {
    tags: "nightly",
  }, async () => {
    const key = randomUUID();
    const seen: (Once | undefined)[] = [];
    const Item = { pk: "x", sk: "y" };
    const work = async (once: Once | undefined) => {
      seen.push(once);
      await db.client.send(new PutCommand({ TableName: db.table, Item }));
      return { id: "thing" };
    };
    stayBusy("PutItem", "ThrottlingException");
    expect((await send(key, work)).status).toBe(503);
    expect((await send(key, work)).status).toBe(503);
    proxy.decide(() => undefined);
    expect((await send(key, work)).status).toBe(201);
    const tokens = seen.map((once) => once?.token);
    expect(seen.map((once) => once?.earlier)).toEqual([[], tokens.slice(0, 1), tokens.slice(0, 2)]);
    expect(await send(key, work)).toMatchObject({ status: 201, body: { id: "thing" } });
    expect(seen).toHaveLength(3);
  });

  test("does not keep a rate-limit counter from counting: a throttled count is retried", {
    tags: "nightly",
  }, async () => {
    const retryingDb = await testDatabase(proxy.endpoint);
    const left: FaultName[] = ["ThrottlingException", "ProvisionedThroughputExceededException"];
    proxy.decide(({ operation }) => (operation === "UpdateItem" ? left.shift() : undefined));
    const window = { now: Date.now() + 60_000, windowMs: 600_000 };
    expect(await countAddressRequest(retryingDb, "203.0.113.9", window)).toMatchObject({
      count: 1,
    });
    expect(await countAddressRequest(retryingDb, "203.0.113.9", window)).toMatchObject({
      count: 2,
    });
    expect(left).toEqual([]);
  });
});
