import { randomUUID } from "node:crypto";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from "jose";
import { beforeAll, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { callMcp } from "../../functions/mcp/routes.ts";
import { createChatCompletion, createResponse } from "../../functions/openai/routes.ts";
import { type TestDatabase, testDatabase } from "../../test/harness/table.ts";
import { testTenant } from "../../test/harness/tenant.ts";
import { sampleHttpEvent } from "../../test/suites/sample-event.ts";
import type { Principal } from "../platform/auth/principal.ts";
import { tokenReader } from "../platform/auth/user-token.ts";
import { resourceMetadataPath } from "../platform/http/protected-resource.ts";
import { ServiceBusyError } from "../platform/runtime/aws-retry.ts";
import { readAudiences } from "../platform/runtime/env.ts";
import { putNewTenant } from "../tenancy/tenant/store.ts";
import type { AuthSettings } from "./authenticate.ts";
import { Reply, type RouteResponse } from "./respond.ts";
import type { Row } from "./route.ts";
import { createStreamedEndpoint, type Live } from "./streamed-endpoint.ts";

/** Lets the logger write through the console, which is kept quiet here. */
vi.stubEnv("POWERTOOLS_DEV", "true");
for (const name of ["info", "warn", "error", "log"] as const) {
  vi.spyOn(console, name).mockImplementation(() => undefined);
}

let db: TestDatabase;
let principal: Principal;
let tenantId: string;
beforeAll(async () => {
  db = await testDatabase();
  const { ctx } = testTenant(db);
  principal = ctx.principal;
  tenantId = ctx.tenant.id;
  const times = { createdAt: 1, modifiedAt: 1 };
  await putNewTenant(db, { ...ctx.tenant, slug: tenantId, displayName: "T", ...times });
});

type Work = (live: Live) => RouteResponse<typeof callMcp>;

type SentRequest = {
  body: object;
  key?: string;
  token?: string;
  auth?: Pick<AuthSettings, "readToken" | "resourceAudiences">;
};

/** Calls a server over MCP, as a client that accepts events; returns the response. */
const send = (work: Work, request: SentRequest) => sendTo(callMcp, work, request);

/** Calls a row, as a client that accepts events; returns the response. */
const sendTo = async <R extends Row>(
  row: R,
  work: (live: Live) => RouteResponse<R>,
  { body, key, token = "token", auth: own }: SentRequest,
) => {
  const limits = { requests: 100, unauthenticatedRequests: 100, windowSeconds: 60 };
  const auth = {
    readToken: async () => principal,
    prefixes: { prefix: "wharf", earlierPrefixes: [] },
    resourceAudiences: [],
    limits,
    ...own,
  };
  const deps = { database: () => db, auth: () => auth, limits: () => limits };
  const handler = createStreamedEndpoint(deps)(row, ({ ctx }) => work(ctx));
  const sample = sampleHttpEvent(row);
  const event = z.custom<APIGatewayProxyEvent>().parse({
    ...sample,
    pathParameters: { ...sample.pathParameters, p1: tenantId },
    body: JSON.stringify(body),
    isBase64Encoded: false,
    multiValueHeaders: {
      "Content-Type": ["application/json"],
      Accept: ["application/json, text/event-stream"],
      Authorization: [`Bearer ${token}`],
      ...(key !== undefined && { "Idempotency-Key": [key] }),
    },
    requestContext: { ...sample.requestContext, requestId: randomUUID() },
  });
  const stream = new PassThrough();
  const heads: { status: number; headers: Record<string, string> }[] = [];
  const context = { awsRequestId: randomUUID(), getRemainingTimeInMillis: () => 150_000 };
  const [sent] = await Promise.all([
    text(stream),
    handler(event, context, (head) => {
      heads.push(head);
      return stream;
    }),
  ]);
  const events = sent
    .split("\n")
    .flatMap((line): unknown[] => (line.startsWith("data: {") ? [JSON.parse(line.slice(6))] : []));
  return { head: heads[0], sent, events };
};

const call = (id: unknown) => ({ jsonrpc: "2.0", id, method: "tools/call", params: {} });
const fail = () => {
  throw new ServiceBusyError("The table is busy.");
};
const openAndFail: Work = ({ events }) => {
  events?.open();
  return fail();
};

describe("an MCP call that fails after its stream has begun", () => {
  test.each([
    ["the id of the request", call("call-7"), "call-7"],
    ["the id of the request, also 0", call(0), 0],
    ["no id for a batch", [call(1), call(2)], null],
  ])("ends with an error of JSON-RPC that has the problem as data, and %s", async (_, body, id) => {
    const { head, events } = await send(openAndFail, { body });
    expect(head).toMatchObject({ status: 200 });
    expect(head?.headers["Content-Type"]).toContain("text/event-stream");
    const data = {
      type: "/problems/service-unavailable",
      status: 503,
      requestId: head?.headers["X-Request-Id"],
    };
    expect(events).toEqual([
      {
        jsonrpc: "2.0",
        id,
        error: {
          code: -32_603,
          message: expect.stringContaining("busy"),
          data: expect.objectContaining(data),
        },
      },
    ]);
  });

  test("gets its result when it is repeated with its Idempotency-Key", async () => {
    const request = { body: call(1), key: randomUUID() };
    const failed = await send(openAndFail, request);
    expect(failed.events).toMatchObject([{ id: 1, error: { code: -32_603 } }]);
    const result = { jsonrpc: "2.0", id: 1, result: {} };
    const repeated = await send(() => new Reply(JSON.stringify(result), {}), request);
    expect(JSON.parse(repeated.sent)).toEqual(result);
  });

  test("has the library's own error as it is", async () => {
    const error = { jsonrpc: "2.0", id: 1, error: { code: -32_021, message: "no tasks" } };
    const { events } = await send(
      (live) => {
        live.events?.open();
        const headers = { "Content-Type": "application/json" };
        return new Reply(JSON.stringify(error), headers, 400);
      },
      { body: call(1) },
    );
    expect(events).toEqual([error]);
  });
});

test("the error that ends a stream of a response is numbered as the events before it, and that of a chat completion is not", async () => {
  const failAfter = ({ events }: Live) => {
    for (const number of [0, 1]) events?.send("event", { sequence_number: number });
    return fail();
  };
  const message = { role: "user", content: "x" };
  const asked = { model: "a", stream: true };
  const response = await sendTo(createResponse, failAfter, { body: { ...asked, input: "x" } });
  const body = { ...asked, messages: [message] };
  const completion = await sendTo(createChatCompletion, failAfter, { body });
  const error = { code: "service-unavailable", type: "server_error" };
  expect(response.events.at(-1)).toMatchObject({ type: "error", sequence_number: 2, error });
  expect(completion.events.at(-1)).toMatchObject({ type: "error", error });
  expect(completion.events.at(-1)).not.toHaveProperty("sequence_number");
});

test("an MCP call that fails before its stream has begun is a problem document", async () => {
  const { head, sent } = await send(fail, { body: call(1) });
  expect(head).toMatchObject({
    status: 503,
    headers: { "Content-Type": "application/problem+json" },
  });
  expect(JSON.parse(sent)).toMatchObject({ type: "/problems/service-unavailable" });
});

test("without other audiences (`none`), a server refuses a token of the API, and takes one for itself", async () => {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const settings = {
    issuer: "https://issuer.test",
    audience: "wharf",
    jwksUrl: "https://issuer.test/jwks",
    organizationClaim: "org_id",
    roleClaim: "role",
  };
  const readToken = tokenReader(
    settings,
    createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), alg: "ES256" }] }),
  );
  const claims = { org_id: principal.organizationId, role: "Runner" };
  const sendFor = async (audience: string, names: string) => {
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: "ES256" })
      .setIssuer(settings.issuer)
      .setAudience(audience)
      .setSubject("ada")
      .setExpirationTime("1 minute")
      .sign(privateKey);
    const auth = { readToken, resourceAudiences: readAudiences(names) };
    const result = { jsonrpc: "2.0", id: 1, result: {} };
    const work = () => new Reply(JSON.stringify(result), {});
    return (await send(work, { body: call(1), token, auth })).head;
  };
  const refused = await sendFor("wharf", "none");
  expect(refused?.status).toBe(401);
  const [, metadata = ""] =
    /resource_metadata="([^"]+)"/.exec(refused?.headers["WWW-Authenticate"] ?? "") ?? [];
  expect((await sendFor(metadata.replace(resourceMetadataPath, ""), "none"))?.status).toBe(200);
  expect((await sendFor("wharf", "a, wharf"))?.status).toBe(200);
});
