import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import * as z from "zod";
import { routes } from "../../functions/routes.ts";
import { consumers } from "../../functions/workers/messages.ts";
import { schedules } from "../../functions/workers/schedules.ts";
import { product } from "../../infra/functions/product.ts";
import { buildEnvironment } from "../../infra/local/functions/function-environment.ts";
import { awslambda, isStreaming } from "../../infra/local/functions/response-stream.ts";
import { helloRevision } from "../../infra/local/seed-agents.ts";
import { readAssembly } from "../../infra/local/template/assembly.ts";
import type { LocalFunction } from "../../infra/local/template/functions.ts";
import { readModel } from "../../infra/local/template/model.ts";
import { listRouteProblems } from "../../lib/edge/implied-problems.ts";
import { problemRegistry } from "../../lib/platform/http/problem-registry.ts";
import { newOrganization } from "../harness/api.ts";
import { quiet } from "../harness/verbose.ts";
import { isFirstOfKind } from "./kinds-of-endpoints.ts";
import { streamedResponse } from "./streamed-response.ts";
import { callsOutside } from "./tested-with-stand-in.ts";

/** Uses Node's own loader, because the test runner's would transform each bundle. */
const load = createRequire(import.meta.url);

const Bundle = z.looseObject({ handler: z.custom<(...parameters: unknown[]) => unknown>() });
const HttpResult = z.object({ statusCode: z.int(), headers: z.record(z.string(), z.string()) });
const Issued = z.looseObject({ key: z.string() });

const lambda = {
  awsRequestId: "00000000-0000-4000-8000-000000000000",
  functionName: "sample",
  getRemainingTimeInMillis: () => 10_000,
};

/** The sample events use the tenant `demo` and the agent `hello`; here, those of an organization of the test. */
describe("the sample event of a function, handed to its bundle", () => {
  const stack = inject("stack");
  let functions: LocalFunction[];
  let apiKey: string;
  let tenant: string;

  beforeAll(async () => {
    functions = readModel(readAssembly(stack.assembly), stack.services).functions;
    const own = await newOrganization();
    tenant = own.slug;
    await own.deployAgent("hello", helloRevision);
    const minted = await own.send("POST", "/apiKeys:generate", {
      name: "samples",
      preset: "Admin",
    });
    apiKey = Issued.parse(minted.body).key;
  });

  const run = async (operation: string): Promise<unknown> => {
    const own = product.http.find(({ rows }) => rows.some((row) => row.operation === operation));
    const suffix = `-${own?.name ?? operation}`;
    const fn = functions.find(({ name }) => name.endsWith(suffix));
    if (!fn) throw new Error(`no function for ${operation}`);
    const jwksUrl = `${stack.services}/.well-known/jwks.json`;
    for (const [name, value] of Object.entries({
      ...buildEnvironment(fn, { ...stack, jwksUrl }),
      ...quiet,
    })) {
      vi.stubEnv(name, value);
    }
    vi.stubGlobal("awslambda", awslambda);
    const { handler } = Bundle.parse(load(join(fn.directory, "index.mjs")));
    const file = new URL(`../../events/${operation}.json`, import.meta.url);
    const text = readFileSync(file, "utf8")
      .replaceAll("wharf_live_REPLACE_ME", apiKey)
      .replaceAll("/v1/tenants/demo", `/v1/tenants/${tenant}`)
      .replaceAll('"p1": "demo"', `"p1": "${tenant}"`);
    const event: unknown = JSON.parse(text);
    if (!isStreaming(handler)) return handler(event, lambda);
    return (await streamedResponse(handler, event, lambda)).head;
  };

  // Every row's sample request is sent over HTTP by every-endpoint.test.ts.
  const rows = routes.filter((row) => isFirstOfKind(row) && !callsOutside(row));
  test.each(rows.map((row) => [row.operation, row] as const))(
    "%s returns a response that its row declares",
    async (operation, row) => {
      const { statusCode, headers } = HttpResult.parse(await run(operation));
      const { status, accepted } = row.response;
      const problems = listRouteProblems(row).map((slug) => problemRegistry[slug].status);
      expect([status, ...(accepted ? [202] : []), ...problems]).toContain(statusCode);
      if (!row.inbound) expect([401, 403]).not.toContain(statusCode);
      expect(statusCode).toBeLessThan(500);
      expect(headers["X-RateLimit-Limit"]).toMatch(/^\d+$/);
    },
  );

  test.each(consumers.map(({ operation }) => operation))(
    "%s completes its message",
    async (operation) => {
      expect(await run(operation)).toEqual({ batchItemFailures: [] });
    },
  );

  test.each(schedules.map(({ operation }) => operation))(
    "%s completes",
    { tags: "nightly" },
    async (operation) => {
      expect(await run(operation)).toBeUndefined();
    },
  );
});
