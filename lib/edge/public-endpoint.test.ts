import type { APIGatewayProxyEvent } from "aws-lambda";
import { describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { testRuntime } from "../../test/harness/runtime.ts";
import { sampleHttpEvent } from "../../test/suites/sample-event.ts";
import { conflict, internalError } from "../platform/http/problems.ts";
import { publicEndpoint } from "./public-endpoint.ts";
import { createDefineRoute } from "./route.ts";

/** Makes the logger write through the console, which the tests spy on. */
vi.stubEnv("POWERTOOLS_DEV", "true");
vi.stubEnv("AWS_LAMBDA_LOG_LEVEL", "INFO");

const row = createDefineRoute("test")({
  operation: "get-thing",
  method: "GET",
  path: "/things/{thing}",
  summary: "Read a thing",
  scope: "public",
  params: { thing: z.string().meta({ example: "a" }) },
  response: { status: 200, schema: z.object({ name: z.string() }) },
});
const lambda = { awsRequestId: "lambda", getRemainingTimeInMillis: () => 1_000 };

const respond = async (work: () => Promise<object>, event: unknown = sampleHttpEvent(row)) => {
  const lines: string[] = [];
  const keep = (line: unknown) => void lines.push(String(line));
  const spies = (["info", "error", "log"] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation(keep),
  );
  const handler = publicEndpoint(
    row,
    async () => z.custom<{ name: string }>().parse(await work()),
    testRuntime(),
  );
  const result = await handler(z.custom<APIGatewayProxyEvent>().parse(event), lambda);
  for (const spy of spies) spy.mockRestore();
  return { ...result, lines: lines.join("\n"), problem: JSON.parse(result.body || "null") };
};

describe("a response", () => {
  test("that fails unexpectedly returns a 500 without the cause, with every header", async () => {
    const { statusCode, headers, problem, body } = await respond(async () => {
      throw new Error("the table said: secret-detail");
    });
    expect(statusCode).toBe(500);
    expect(problem).toMatchObject({ type: "/problems/internal-error", instance: "/things/a" });
    expect(body).not.toContain("secret-detail");
    expect(headers).toMatchObject({
      "X-Request-Id": problem.requestId,
      "X-RateLimit-Limit": "60",
      "X-RateLimit-Remaining": "60",
      "X-RateLimit-Reset": expect.stringMatching(/^\d{10}$/),
      "Content-Type": "application/problem+json",
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
      "Strict-Transport-Security": "max-age=31536000",
      "Cache-Control": "no-store",
    });
  });

  test("that fails unexpectedly logs its cause, with secrets redacted", async () => {
    const key = `wharf_live_${"x".repeat(49)}`;
    const { lines } = await respond(async () => {
      throw internalError(new Error(`no luck with ${key}`));
    });
    expect(lines).toContain("no luck with [redacted]");
    expect(lines).not.toContain(key);
  });

  test("that is the caller's fault is one line of log", async () => {
    const { statusCode, lines } = await respond(async () => {
      throw conflict("taken");
    });
    expect(statusCode).toBe(409);
    expect(lines.match(/"message"/g)).toHaveLength(1);
  });

  test("drops undeclared members, and is 500 for another shape than the declared one", async () => {
    const extra = await respond(async () => ({ name: "n", sha256: "hidden" }));
    expect(extra.body).toBe('{"name":"n"}');
    expect((await respond(async () => ({ name: 7 }))).statusCode).toBe(500);
  });

  test("never logs the raw path", async () => {
    const event = { ...sampleHttpEvent(row), path: "/things/path-with-a-secret" };
    const { lines } = await respond(async () => ({ name: "n" }), event);
    expect(lines).toContain("get-thing completed");
    expect(lines).not.toContain("path-with-a-secret");
  });
});
