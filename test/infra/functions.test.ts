import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { routes } from "../../functions/routes.ts";
import { consumers } from "../../functions/workers/messages.ts";
import { schedules } from "../../functions/workers/schedules.ts";
import { methodsByResource, toHttpFunctions } from "../../infra/functions/function-records.ts";
import { everyFunction, product } from "../../infra/functions/product.ts";
import { functionName } from "../../infra/settings/names.ts";
import { createDefineRoute, type Route } from "../../lib/edge/route.ts";
import { toGatewayPath } from "../../lib/platform/http/gateway-path.ts";
import type { Method } from "../../lib/platform/http/row.ts";

const route = createDefineRoute("requests");
const params = { request: z.string() };

const approve = route({
  operation: "approve-access-request",
  method: "POST",
  path: "/v1/requests/{request}:approve",
  summary: "Approve",
  scope: "chat_users:write",
  params,
  response: { status: 204 },
  access: { table: "read", publishes: ["housekeeping"] },
});
const reject: Route = {
  ...approve,
  operation: "reject-access-request",
  path: "/v1/requests/{request}:reject",
  access: { table: "write", secrets: "open" },
  timeoutSeconds: 60,
};
const read: Route = {
  ...approve,
  operation: "get-access-request",
  path: "/v1/requests/{request}",
  method: "GET",
};

test("rows of one gateway resource and method share a function with their verbs", () => {
  const [shared, own, ...others] = toHttpFunctions([approve, reject, read]);
  expect(others).toEqual([]);
  expect(shared).toMatchObject({
    name: "approve-or-reject-access-request",
    resource: "/v1/requests/{p1}",
    method: "POST",
    handlers: [
      { verb: "approve", file: "functions/requests/approve-access-request.ts" },
      { verb: "reject", file: "functions/requests/reject-access-request.ts" },
    ],
    timeoutSeconds: 60,
  });
  expect(shared?.access).toEqual({
    table: "write",
    secrets: "open",
    bucket: undefined,
    publishes: ["housekeeping"],
  });
  expect(own).toMatchObject({ name: "get-access-request", rows: [read] });
});

test("a function streams when one of its rows does, and has the names of these rows", () => {
  const streaming = { ...approve, streaming: { completed: "done", failed: "failed" } };
  const [shared, own] = toHttpFunctions([{ ...streaming, timeoutSeconds: 900 }, reject, read]);
  expect(shared).toMatchObject({
    streaming: true,
    timeoutSeconds: 900,
    handlers: [{ streams: true }, { streams: false }],
  });
  expect(own?.streaming).toBe(false);
});

test("a function gets the methods of its resource by verb, the read first", () => {
  const methods = methodsByResource(toHttpFunctions([approve, read]));
  expect(methods.get("/v1/requests/{p1}")).toEqual({ approve: ["POST"], "": ["GET"] });
});

test("the resource of an agent has its four calls, and each verb apart", () => {
  expect(methodsByResource(product.http).get("/v1/tenants/{p1}/agents/{p2}")).toEqual({
    "": ["GET", "PATCH", "DELETE"],
    execute: ["POST"],
    "test-draft": ["POST"],
  });
});

test("every row has one function and every function its rows, consumer or job", () => {
  const served = product.http.flatMap(({ rows }) => rows.map(({ operation }) => operation));
  expect(served.sort()).toEqual(routes.map(({ operation }) => operation).sort());
  expect(product.workers.map(({ name }) => name)).toEqual(
    consumers.map((consumer) => consumer.operation),
  );
  expect(product.schedules.map(({ name }) => name)).toEqual(
    schedules.map((schedule) => schedule.operation),
  );
});

test("names of functions differ and fit Lambda's 64 characters under the longest prefix", () => {
  const names = everyFunction(product).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) {
    expect(functionName("A".repeat(16), name)).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  }
});

const word = fc.stringMatching(/^[a-z]{1,3}$/);
const segment = fc.oneof(
  word,
  word.map((name) => `{${name}}`),
);
const path = fc
  .tuple(fc.array(segment, { minLength: 1, maxLength: 4 }), fc.option(word))
  .map(([segments, verb]) => `/${segments.join("/")}${verb === null ? "" : `:${verb}`}`);
const row = fc.record({ path, method: fc.constantFrom<Method>("GET", "POST", "DELETE") });

test("every row of any table is served by the one function of its resource and method", () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 30 }), (rows) => {
      const table = rows.map((row, at): Route => ({ ...read, ...row, operation: `do-${at}` }));
      const functions = toHttpFunctions(table);
      expect(functions.flatMap((definition) => definition.rows).length).toBe(table.length);
      for (const { rows: own, resource, method } of functions) {
        for (const row of own) {
          expect(toGatewayPath(row.path).resource).toBe(resource);
          expect(row.method).toBe(method);
        }
      }
      const keys = functions.map(({ resource, method }) => `${method} ${resource}`);
      expect(new Set(keys).size).toBe(keys.length);
    }),
  );
});
