import { beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { product } from "../../infra/functions/product.ts";
import { findLambda, type Synthesized, synthesized, synthesizedAnew } from "./synthesized.ts";

let stacks: Synthesized;
beforeAll(async () => {
  stacks = await synthesized();
});

test("a function of the agent's resource has all its methods, by verb", () => {
  const { environment } = findLambda(stacks, "get-agent");
  expect(JSON.parse(String(environment.RESOURCE_METHODS))).toEqual({
    "": ["GET", "PATCH", "DELETE"],
    execute: ["POST"],
    "test-draft": ["POST"],
  });
});

test("it is regional, since only then it streams for minutes", () => {
  const [api, ...others] = stacks.resources("AWS::ApiGateway::RestApi");
  expect(others).toEqual([]);
  expect(api?.Properties).toMatchObject({ EndpointConfiguration: { Types: ["REGIONAL"] } });
});

test("no log and no response of the gateway contains a raw path, nor do execution logs", () => {
  expect(stacks.text).not.toMatch(/\$context\.(path\b|requestOverride\.path)/);
  const [stage] = stacks.resources("AWS::ApiGateway::Stage");
  const settings = JSON.stringify(stage?.Properties.MethodSettings);
  expect(settings).toContain('"LoggingLevel":"OFF"');
  expect(settings).toContain('"DataTraceEnabled":false');
  const access = JSON.stringify(stage?.Properties.AccessLogSetting);
  expect(access).toContain("$context.resourcePath");
});

test("the access log has no field of a request in which the token of a callback or link is sent", () => {
  const { Format } = z
    .object({ Format: z.string() })
    .parse(stacks.resources("AWS::ApiGateway::Stage")[0]?.Properties?.AccessLogSetting);
  const fields = Object.values(z.record(z.string(), z.string()).parse(JSON.parse(Format)));
  const known = new Set([
    "$context.requestId",
    "$context.httpMethod",
    "$context.resourcePath",
    "$context.status",
    "$context.error.responseType",
    "$context.integration.status",
    "$context.integration.requestId",
    "$context.integration.latency",
    "$context.responseLatency",
    "$context.responseLength",
    "$context.identity.sourceIp",
  ]);
  expect(fields.filter((field) => !known.has(field))).toEqual([]);
  const paths = product.http.map(({ resource }) => resource);
  expect(paths.filter((path) => path.includes("/callbacks/{"))).toHaveLength(1);
});

test("the whole API is throttled", () => {
  const [stage] = stacks.resources("AWS::ApiGateway::Stage");
  expect(stage?.Properties.MethodSettings).toMatchObject([
    { ResourcePath: "/*", HttpMethod: "*", ThrottlingRateLimit: expect.any(Number) },
  ]);
});

test("a changed row makes a new deployment", { tags: "nightly" }, async () => {
  const [first, ...others] = product.http;
  if (!first) throw new Error("no function");
  const changed = { ...product, http: [{ ...first, resource: "/moved" }, ...others] };
  const other = await synthesizedAnew({ product: changed });
  const findDeploymentId = (synthesized: Synthesized) =>
    synthesized.resources("AWS::ApiGateway::Deployment")[0]?.id;
  expect(findDeploymentId(other)).not.toBe(findDeploymentId(stacks));
});
