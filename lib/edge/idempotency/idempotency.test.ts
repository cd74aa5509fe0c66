import { randomBytes, randomUUID } from "node:crypto";
import middy from "@middy/core";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { memoryObjects } from "../../../test/harness/in-memory.ts";
import { testRuntime } from "../../../test/harness/runtime.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { sampleHttpEvent } from "../../../test/suites/sample-event.ts";
import type { Principal } from "../../platform/auth/principal.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import type { Once } from "../../platform/http/call-context.ts";
import { conflict, Problem } from "../../platform/http/problems.ts";
import { ServiceBusyError } from "../../platform/runtime/aws-retry.ts";
import { parseUuidTime } from "../../platform/runtime/runtime.ts";
import type { TenantOwner } from "../../tenancy/tenant/store.ts";
import { type InTenant, type Link, toHandler } from "../context.ts";
import { matchRoute } from "../match-route.ts";
import type { Parsed } from "../parse-request.ts";
import { problemDetails } from "../problem-details.ts";
import { requestContext } from "../request-context.ts";
import { Reply } from "../respond.ts";
import { createDefineRoute, type Route, type Row } from "../route.ts";
import { shapeResponse } from "../shape-response.ts";
import { idempotency } from "./idempotency.ts";

/** Lets the logger write through the console, which is kept quiet here. */
vi.stubEnv("POWERTOOLS_DEV", "true");
for (const name of ["info", "warn", "error", "log"] as const) {
  vi.spyOn(console, name).mockImplementation(() => undefined);
}

const second = 1_000;
const hour = 3_600 * second;
const functionMs = 29 * second;

const route = createDefineRoute("test");
const schema = z.object({ id: z.string(), key: z.string().nullable() });
const common = {
  operation: "make-thing",
  path: "/things/{thing}",
  summary: "Make a thing",
  scope: "agents:write",
  params: { thing: z.string().meta({ example: "a" }) },
  body: z.looseObject({}).meta({ example: {} }),
} as const;
const row = route({ ...common, method: "POST", response: { status: 201, schema } });

const buildPrincipal = (id: string, organizationId = "org"): Principal => ({
  type: "User",
  id,
  organizationId,
  scopes: [],
  userIds: [id],
  email: null,
  apiKey: null,
});

type Sent = {
  key?: string | string[];
  body?: string;
  principal?: Principal;
  tenantId?: string | null;
  thing?: string;
  row?: Route;
  objects?: ObjectStore;
  work?: (once: Once | undefined) => Promise<unknown>;
  timeoutMs?: number;
};

describe("a request with an Idempotency-Key", () => {
  let db: TestDatabase;
  let runtime: ReturnType<typeof testRuntime>;
  let runs: number;

  beforeAll(async () => {
    db = await testDatabase();
  });

  beforeEach(() => {
    runtime = testRuntime();
    runs = 0;
    db.calls.length = 0;
  });

  const makeThing = async () => {
    runs += 1;
    return { id: `thing-${runs}`, key: "secret" };
  };

  const send = async ({
    key = [],
    body = "{}",
    principal = buildPrincipal("ada"),
    tenantId = null,
    thing = "a",
    row: sentRow = row,
    objects,
    work = makeThing,
    timeoutMs = functionMs,
  }: Sent) => {
    const sample = sampleHttpEvent(sentRow);
    const event = z.custom<APIGatewayProxyEvent>().parse({
      ...sample,
      body,
      isBase64Encoded: false,
      multiValueHeaders: { ...sample.multiValueHeaders, "iDeMpotency-kEY": [key].flat() },
      requestContext: { ...sample.requestContext, requestId: randomUUID() },
    });
    const checked: Link<InTenant & Parsed<Row>> = {
      before: ({ context }) => {
        const tenant =
          tenantId === null ? undefined : z.custom<TenantOwner>().parse({ id: tenantId });
        const input = { params: { thing }, query: {} };
        Object.assign(context, { database: () => db, principal, tenant, input });
      },
    };
    const handler = toHandler(
      middy<APIGatewayProxyEvent>({ timeoutEarlyInMillis: 0 })
        .use(requestContext(sentRow, runtime))
        .use(problemDetails(sentRow))
        .use(matchRoute(sentRow))
        .use(checked)
        .use(idempotency(sentRow, { objects: objects && (() => objects) }))
        .use(shapeResponse(sentRow))
        .handler((_, { claimed }) => work(claimed?.once)),
    );
    const {
      statusCode,
      headers,
      body: text,
    } = await handler(event, {
      awsRequestId: "lambda",
      getRemainingTimeInMillis: () => timeoutMs,
    });
    return { status: statusCode, headers, text, body: JSON.parse(text || "null") };
  };

  const newKey = () => `key ${randomUUID()}`;
  const replayed = { "Idempotency-Replayed": "true" };
  const readSlug = ({ body }: { body: { type?: string } }) => body.type?.replace("/problems/", "");

  test("runs the first time for two storage calls; again, it is the same response for one", async () => {
    const key = newKey();
    const first = await send({ key });
    expect(db.calls).toEqual(["UpdateItem", "UpdateItem"]);
    expect(first).toMatchObject({ status: 201, body: { id: "thing-1", key: "secret" } });
    expect(first.headers).not.toMatchObject(replayed);
    db.calls.length = 0;
    const again = await send({ key });
    expect(db.calls).toEqual(["UpdateItem"]);
    expect(again).toMatchObject({ status: 201, text: first.text, headers: replayed });
    expect(again.headers?.["X-Request-Id"]).not.toBe(first.headers?.["X-Request-Id"]);
    expect(runs).toBe(1);
  });

  test("costs nothing without the header, nor where the header does not count", async () => {
    const reading = route({ ...common, method: "GET", response: { status: 200, schema } });
    const open = route({ ...common, method: "POST", scope: "public", response: { status: 200 } });
    await send({});
    await send({ row: reading, key: "k".repeat(300) });
    await send({ row: open, key: ["two", "keys"] });
    expect(runs).toBe(3);
    expect(db.calls).toEqual([]);
  });

  test.each([
    ["empty", ""],
    ["longer than 255 characters", "k".repeat(256)],
    ["not ASCII", "schlüssel"],
    ["not printable", "a\tb"],
    ["given twice", ["a", "a"]],
  ])("is 400 when the key is %s", async (_, key) => {
    const response = await send({ key });
    expect(response).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "header/Idempotency-Key" }] },
    });
    expect(db.calls).toEqual([]);
  });

  test("accepts a key of 255 characters", async () => {
    expect((await send({ key: `~ ${randomUUID()}`.padEnd(255, "!") })).status).toBe(201);
  });

  test("with another body is 422, also while the first one runs", async () => {
    const key = newKey();
    const nested: string[] = [];
    await send({
      key,
      work: async () => {
        nested.push(readSlug(await send({ key, body: "{ }" })) ?? "");
        return makeThing();
      },
    });
    const after = await send({ key, body: "{ }" });
    expect([...nested, readSlug(after)]).toEqual(["idempotency-mismatch", "idempotency-mismatch"]);
    expect(after.status).toBe(422);
    expect(runs).toBe(1);
  });

  test("is 409 with Retry-After while the first one runs", async () => {
    const key = newKey();
    const meanwhile: Awaited<ReturnType<typeof send>>[] = [];
    await send({
      key,
      work: async () => {
        meanwhile.push(await send({ key }));
        return makeThing();
      },
    });
    expect(meanwhile).toMatchObject([{ status: 409, headers: { "Retry-After": "1" } }]);
    expect(runs).toBe(1);
  });

  test("sent twenty times concurrently runs once; the others get 409 or its response", {
    tags: "nightly",
  }, async () => {
    const key = newKey();
    const responses = await Promise.all(Array.from({ length: 20 }, () => send({ key })));
    expect(runs).toBe(1);
    const fresh = responses.filter(
      ({ status, headers }) => status === 201 && !headers?.["Idempotency-Replayed"],
    );
    expect(fresh).toHaveLength(1);
    for (const { status, text } of responses) {
      if (status === 201) expect(text).toBe(fresh[0]?.text);
      else expect(status).toBe(409);
    }
  });

  test("is another one for another caller, tenant, path or key", { tags: "nightly" }, async () => {
    const key = newKey();
    await send({ key });
    await send({ key, principal: buildPrincipal("bob") });
    await send({ key, principal: buildPrincipal("ada", "other") });
    await send({ key, principal: { ...buildPrincipal("ada"), type: "ApiKey" } });
    await send({ key, tenantId: "t" });
    await send({ key, thing: "b" });
    await send({ key: `${key}!` });
    const other = route({ ...common, method: "PATCH", response: { status: 200, schema } });
    await send({ key, row: other });
    expect(runs).toBe(8);
  });

  test("callers with similar names are kept apart", async () => {
    const key = newKey();
    await send({ key, principal: buildPrincipal("c", "a#b") });
    await send({ key, principal: buildPrincipal("b#c", "a") });
    expect(runs).toBe(2);
  });

  test("expires after 24 hours, to the millisecond, whatever the table still has", async () => {
    const key = newKey();
    await send({ key });
    runtime.advance(24 * hour - 1);
    expect((await send({ key })).headers).toMatchObject(replayed);
    runtime.advance(1);
    const retried = await send({ key, body: "{ }" });
    expect(retried).toMatchObject({ status: 201, body: { id: "thing-2" } });
    expect(retried.headers).not.toMatchObject(replayed);
    expect((await send({ key, body: "{ }" })).text).toBe(retried.text);
  });

  test("can be repeated after its run crashed, once the function's timeout is over", async () => {
    const key = newKey();
    const { promise: never } = Promise.withResolvers<never>();
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    void send({
      key,
      work: () => {
        start();
        return never;
      },
    });
    await started;
    runtime.advance(functionMs + 4_999);
    expect((await send({ key })).status).toBe(409);
    runtime.advance(1);
    expect(readSlug(await send({ key, body: "{ }" }))).toBe("idempotency-mismatch");
    expect(await send({ key })).toMatchObject({ status: 201, body: { id: "thing-1" } });
    expect(await send({ key })).toMatchObject({ status: 201, headers: replayed });
    expect(runs).toBe(1);
  });

  test("has ids of its runs with the times of their requests, also after a crash", async () => {
    const key = newKey();
    const given: Once[] = [];
    const times: number[] = [];
    const work = async (once: Once | undefined) => {
      if (once) given.push(once);
      times.push(runtime.clock());
      runtime.advance(functionMs);
      throw new ServiceBusyError("The table is busy.");
    };
    for (const _ of [1, 2, 3]) {
      await send({ key, work });
      runtime.advance(hour);
    }
    expect(given.map(({ token }) => parseUuidTime(token))).toEqual(times);
    const tokens = given.map(({ token }) => token);
    expect(given.map(({ earlier }) => earlier)).toEqual([
      [],
      tokens.slice(0, 1),
      tokens.slice(0, 2),
    ]);
  });

  test("is not run again while its response may come in a stream", async () => {
    const key = newKey();
    const response = { status: 201, schema } as const;
    const streaming = { completed: "message", failed: "message", onDemand: true } as const;
    const streamed = route({ ...common, method: "POST", response, streaming, timeoutSeconds: 150 });
    const given = { key, row: streamed, timeoutMs: 150 * second };
    const started = Promise.withResolvers<void>();
    void send({
      ...given,
      work: () => {
        started.resolve();
        return new Promise(() => {});
      },
    });
    await started.promise;
    runtime.advance(154_999);
    expect((await send(given)).status).toBe(409);
    runtime.advance(1);
    expect((await send(given)).status).toBe(201);
  });

  test("is taken over by one of two concurrent callers after its run crashed", async () => {
    const key = newKey();
    const { promise: never } = Promise.withResolvers<never>();
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    void send({
      key,
      work: () => {
        start();
        return never;
      },
    });
    await started;
    runtime.advance(functionMs + 5_000);
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const work = async () => {
      await gate;
      return makeThing();
    };
    const both = [send({ key, work }), send({ key, work })];
    expect((await Promise.race(both)).status).toBe(409);
    open();
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, 409]);
    expect(runs).toBe(1);
  });

  test.each([
    ["succeeds", async () => ({ id: "late", key: null })],
    ["fails", async () => Promise.reject(conflict("late"))],
  ])("a run that was taken for dead and %s late changes nothing", async (_, finish) => {
    const key = newKey();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    const late = send({
      key,
      work: () => {
        start();
        return gate.then(finish);
      },
    });
    await started;
    runtime.advance(functionMs + 5_000);
    const taken = await send({ key });
    open();
    await late;
    expect(await send({ key })).toMatchObject({ headers: replayed, text: taken.text });
  });

  test("that failed is not stored, so that it can be repeated, with another body too", async () => {
    const key = newKey();
    const failed = await send({ key, work: async () => Promise.reject(conflict("taken")) });
    expect(failed.status).toBe(409);
    expect(db.calls).toEqual(["UpdateItem", "DeleteItem"]);
    const crashed = await send({ key, work: async () => Promise.reject(new Error("inside")) });
    expect(crashed.status).toBe(500);
    expect((await send({ key, work: async () => ({ id: 7 }) })).status).toBe(500);
    expect(await send({ key, body: "{ }" })).toMatchObject({
      status: 201,
      body: { id: "thing-1" },
    });
  });

  test("is not stored after its handler released it, so that it can be repeated, with another body too", async () => {
    const key = newKey();
    const work = async (once: Once | undefined) => {
      once?.release?.();
      return { id: "refused", key: null };
    };
    expect(await send({ key, work })).toMatchObject({ status: 201, body: { id: "refused" } });
    expect(db.calls).toEqual(["UpdateItem", "DeleteItem"]);
    const again = await send({ key, body: "{ }" });
    expect(again).toMatchObject({ status: 201, body: { id: "thing-1" } });
    expect(again.headers).not.toMatchObject(replayed);
  });

  test.each([
    ["execution-failed", 422],
    ["upstream-failed", 502],
    ["upstream-timeout", 504],
  ] as const)("does not execute again after its execution ended in %s", async (slug, status) => {
    const key = newKey();
    const work = async () => {
      runs += 1;
      const members = { executionId: "e", step: "s", upstream: undefined };
      throw new Problem(slug, "why", { members, headers: { "X-Own": "1" } });
    };
    const first = await send({ key, work });
    const again = await send({ key, work });
    expect(again).toMatchObject({ status, headers: { ...replayed, "X-Own": "1" } });
    expect(again.body).toEqual({ ...first.body, requestId: again.headers?.["X-Request-Id"] });
    expect(again.body.requestId).not.toBe(first.body.requestId);
    expect(runs).toBe(1);
  });

  test("stores no member that its row shows only once; it is null in the replay", async () => {
    const issuing = route({
      ...common,
      method: "POST",
      response: { status: 201, schema },
      shownOnce: ["key"],
    });
    const key = newKey();
    const secret = `wharf_live_${"s".repeat(49)}`;
    const work = async () => ({ id: "thing", key: secret });
    expect((await send({ key, row: issuing, work })).body).toEqual({ id: "thing", key: secret });
    const again = await send({ key, row: issuing, work });
    expect(again).toMatchObject({ status: 201, headers: replayed });
    expect(again.body).toEqual({ id: "thing", key: null });
    expect(JSON.stringify(await db.scan())).not.toContain(secret);
  });

  test("keeps a response's own status, headers and empty body", async () => {
    const key = newKey();
    const work = async () => new Reply("", { Location: "/there" }, 202);
    await send({ key, work });
    const again = await send({ key, work });
    expect(again).toMatchObject({ status: 202, text: "", headers: { Location: "/there" } });
    expect(Object.keys(again.headers ?? {})).not.toContain("Content-Type");
  });

  test.each([
    ["that compresses", "x".repeat(2_000_000), 0],
    ["that is larger than an item", randomBytes(450_000).toString("base64"), 1],
  ])("replays a response %s byte for byte", { tags: "nightly" }, async (_, id, objectCount) => {
    const storing = route({
      ...common,
      method: "POST",
      response: { status: 201, schema },
      access: { table: "write", bucket: "write" },
    });
    const objects = memoryObjects();
    const key = newKey();
    const work = async () => ({ id, key: null });
    const first = await send({ key, row: storing, objects, work });
    const again = await send({ key, row: storing, objects, work });
    expect(again.headers).toMatchObject(replayed);
    expect(again.text === first.text).toBe(true);
    expect(objects.all.size).toBe(objectCount);
  });

  test("with a response that is too large to store does its work once all the same", async () => {
    const key = newKey();
    const id = randomBytes(450_000).toString("base64");
    const work = async () => {
      runs += 1;
      return { id, key: null };
    };
    expect((await send({ key, work })).status).toBe(201);
    const again = await send({ key, work });
    expect(again.status).toBe(409);
    expect(again.body.detail).toContain("was completed before");
    expect(runs).toBe(1);
  });

  test("is not started when it cannot be claimed", async () => {
    const key = newKey();
    db.failNext("UpdateItem");
    expect((await send({ key })).status).toBe(500);
    expect(runs).toBe(0);
    expect((await send({ key })).status).toBe(201);
  });

  test("gets its response when that cannot be stored; repeated, it counts as running, then as crashed", async () => {
    const key = newKey();
    db.failNext("UpdateItem", 1);
    expect(await send({ key })).toMatchObject({ status: 201, body: { id: "thing-1" } });
    expect((await send({ key })).status).toBe(409);
    runtime.advance(functionMs + 5_000);
    expect(await send({ key })).toMatchObject({ status: 201, body: { id: "thing-2" } });
  });

  test("returns why it failed even when its claim cannot be released", async () => {
    db.failNext("DeleteItem");
    const failed = await send({ key: newKey(), work: () => Promise.reject(conflict("taken")) });
    expect(failed.body.detail).toBe("taken");
  });

  test("leaves an item that the table may remove after 24 hours", async () => {
    await send({ key: newKey(), principal: buildPrincipal("carol") });
    const pk = /^IDEM#User#org#carol#[0-9a-f]{64}$/;
    const [item] = (await db.scan()).filter((stored) => pk.test(String(stored.pk)));
    expect(item).toMatchObject({
      sk: "IDEM",
      ttl: (runtime.clock() + 24 * hour) / 1_000,
    });
  });
});
