import fc from "fast-check";
import { expect, test } from "vitest";
import { apiDefinition } from "../../infra/api/api-definition.ts";
import { integration } from "../../infra/api/integration.ts";
import {
  type HttpFunctionRecord,
  toHttpFunctions,
} from "../../infra/functions/function-records.ts";
import { product } from "../../infra/functions/product.ts";
import type { Route } from "../../lib/edge/route.ts";
import { problemRegistry } from "../../lib/platform/http/problem-registry.ts";
import type { Method } from "../../lib/platform/http/row.ts";

const role = "arn:aws:iam::000000000000:role/gateway";
const define = (functions: readonly HttpFunctionRecord[]) =>
  apiDefinition({
    name: "Wharf",
    functions,
    fallback: "get-health",
    getFunctionArn: (name) => `arn:aws:lambda:us-east-1:000000000000:function:${name}`,
    credentials: role,
    rateLimit: 60,
    basePath: "/live",
  });

const anyMethod = "x-amazon-apigateway-any-method";
const findUri = (path: string, method: string): string =>
  JSON.stringify(define(product.http).paths[path]?.[method]?.["x-amazon-apigateway-integration"]);

/** Asserts API Gateway's rules for the paths of a REST API; see "Known issues" in the Developer Guide. */
const expectLegalPaths = (paths: readonly string[]): void => {
  const variableByParent = new Map<string, string>();
  for (const path of paths) {
    const segments = path
      .split("/")
      .slice(1)
      .filter((segment) => segment !== "");
    for (const [at, segment] of segments.entries()) {
      expect(segment).toMatch(/^(\{[A-Za-z0-9]+\+?\}|[A-Za-z0-9._:-]+)$/);
      if (!segment.startsWith("{")) continue;
      if (segment.endsWith("+}")) expect(at).toBe(segments.length - 1);
      const parent = segments.slice(0, at).join("/");
      expect(variableByParent.get(parent) ?? segment).toBe(segment);
      variableByParent.set(parent, segment);
    }
  }
};

test("the product's paths are legal, with one variable name among siblings", () => {
  expectLegalPaths(Object.keys(define(product.http).paths));
});

const health = product.http.find(({ name }) => name === "get-health");
const word = fc.stringMatching(/^[A-Za-z][A-Za-z.-]{0,4}$/);
const variable = word.map((name) => `{${name.replaceAll(/[.-]/g, "")}}`);
const path = fc
  .tuple(
    fc
      .tuple(word, fc.array(fc.oneof(word, variable), { maxLength: 4 }))
      .map(([first, others]) => [first, ...others]),
    fc.option(fc.stringMatching(/^[a-z-]{1,6}$/).map((verb) => `:a${verb}`)),
  )
  .map(([segments, verb]) => `/${segments.join("/")}${verb ?? ""}`);

test("any table of rows becomes legal paths, with a function per method and 405 for the others", () => {
  const [template] = health?.rows ?? [];
  if (!health || !template) throw new Error("no health row");
  const method = fc.constantFrom<Method>("GET", "POST", "PUT", "PATCH", "DELETE");
  fc.assert(
    fc.property(fc.array(fc.tuple(path, method), { maxLength: 30 }), (table) => {
      const rows = table.map(
        ([path, method], at): Route => ({ ...template, path, method, operation: `do-${at}` }),
      );
      const functions = [...toHttpFunctions(rows), health];
      const { paths } = define(functions);
      expectLegalPaths(Object.keys(paths));
      for (const definition of functions) {
        const item = paths[definition.resource] ?? {};
        const target = JSON.stringify(item[definition.method.toLowerCase()]);
        expect(target).toContain(`:${definition.name}/invocations`);
        expect(Object.keys(item)).toContain(anyMethod);
      }
    }),
  );
});

test("a path that begins with a variable is refused: the catch-all has that place", () => {
  expect(() => define(health ? [{ ...health, resource: "/{p1}" }] : [])).toThrow("get-health");
});

test("an unknown route is handled by the function that responds with 404", () => {
  for (const path of ["/", "/{proxy+}"]) {
    expect(Object.keys(define(product.http).paths[path] ?? {})).toEqual([anyMethod]);
    expect(findUri(path, anyMethod)).toContain(":get-health/invocations");
  }
});

test("other methods of a resource go to its first function, which responds with 405", () => {
  const [first] = product.http.filter(
    ({ resource }) => resource === "/v1/tenants/{p1}/agents/{p2}",
  );
  expect(findUri("/v1/tenants/{p1}/agents/{p2}", anyMethod)).toContain(
    `:${first?.name}/invocations`,
  );
});

const streamingRoute: Route | undefined = health?.rows[0] && {
  ...health.rows[0],
  operation: "stream-things",
  method: "POST",
  path: "/things/{thing}:stream",
  streaming: { completed: "done", failed: "failed" },
};

test("a streaming function is invoked with streaming by all of its methods, also for 405", () => {
  if (!health || !streamingRoute) throw new Error("no health row");
  const other: Route = {
    ...streamingRoute,
    operation: "touch-things",
    path: "/things/{thing}:touch",
  };
  const reading: Route = {
    ...streamingRoute,
    operation: "get-things",
    method: "GET",
    path: "/things/{thing}",
    streaming: undefined,
  };
  const functions = toHttpFunctions([streamingRoute, { ...other, streaming: undefined }, reading]);
  const item = define([...functions, health]).paths["/things/{p1}"] ?? {};
  const of = (method: string) => JSON.stringify(item[method]?.["x-amazon-apigateway-integration"]);
  for (const method of ["post", anyMethod]) {
    expect(of(method)).toContain('"responseTransferMode":"STREAM"');
    expect(of(method)).toContain("/response-streaming-invocations");
  }
  expect(of("get")).not.toContain("STREAM");
});

test("bodies pass as bytes", () => {
  expect(define(product.http)["x-amazon-apigateway-binary-media-types"]).toEqual(["*/*"]);
});

test("a buffered response has 29 s; a streamed one has its own URI, mode and 15 minutes", () => {
  expect(integration("ARN", { credentials: role })).toMatchObject({
    timeoutInMillis: 29_000,
    credentials: role,
  });
  expect(integration("ARN", { credentials: role })).not.toHaveProperty("responseTransferMode");
  const streamed = integration("ARN", { credentials: role, streaming: true });
  expect(streamed).toMatchObject({
    type: "aws_proxy",
    httpMethod: "POST",
    credentials: role,
    responseTransferMode: "STREAM",
    timeoutInMillis: 900_000,
  });
  expect(streamed.uri).toMatch(
    /:lambda:path\/2021-11-15\/functions\/ARN\/response-streaming-invocations$/,
  );
});

test("every error of the gateway is a problem of the registry, under its status", () => {
  const responses = define(product.http)["x-amazon-apigateway-gateway-responses"];
  expect(Object.keys(responses)).toHaveLength(20);
  for (const { statusCode, responseTemplates, responseParameters } of Object.values(responses)) {
    const problem: Record<string, unknown> = JSON.parse(responseTemplates["application/json"]);
    const slug = Object.entries(problemRegistry).find(
      ([slug]) => problem.type === `/live/problems/${slug}`,
    );
    expect(slug?.[1]).toMatchObject({ status: Number(statusCode), title: problem.title });
    expect(problem).toMatchObject({
      status: Number(statusCode),
      detail: expect.any(String),
      instance: "$context.resourcePath",
      requestId: "$context.requestId",
    });
    expect(responseParameters).toMatchObject({
      "gatewayresponse.header.Content-Type": "'application/problem+json'",
      "gatewayresponse.header.X-Request-Id": "context.requestId",
      "gatewayresponse.header.X-RateLimit-Limit": "'60'",
      "gatewayresponse.header.Cache-Control": "'no-store'",
      "gatewayresponse.header.Strict-Transport-Security": "'max-age=31536000'",
      "gatewayresponse.header.X-Content-Type-Options": "'nosniff'",
    });
  }
  expect(responses.INTEGRATION_FAILURE).toMatchObject({
    statusCode: "503",
    responseParameters: { "gatewayresponse.header.Retry-After": "'5'" },
  });
  expect(responses.THROTTLED?.responseParameters).toMatchObject({
    "gatewayresponse.header.X-RateLimit-Remaining": "'0'",
    "gatewayresponse.header.Retry-After": "'1'",
  });
});
