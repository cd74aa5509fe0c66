import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { routes } from "../../functions/routes.ts";
import { toHttpFunctions } from "../../infra/functions/function-records.ts";
import { buildEnvironment } from "../../infra/local/functions/function-environment.ts";
import { prepare } from "../../infra/local/prepare/prepare.ts";
import { LocalJson, seedNames } from "../../infra/local/seed.ts";
import { readLocalSettings } from "../../infra/local/settings.ts";
import type { StackOptions } from "../../infra/local/stack.ts";
import { jwksPath } from "../../infra/local/storage/endpoint.ts";
import { readAssembly } from "../../infra/local/template/assembly.ts";
import { parseHandler } from "../../infra/local/template/functions.ts";
import { readModel } from "../../infra/local/template/model.ts";
import { functionName } from "../../infra/settings/names.ts";
import { hashApiKey, makeApiKey } from "../../lib/platform/auth/api-key-format.ts";
import { presets } from "../../lib/platform/auth/scopes.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { importApiKey } from "../../lib/tenancy/api-key/import-api-key.ts";
import { startLocalStack, type TestStack } from "../harness/local-stack.ts";
import { connectTable } from "./connect-table.ts";
import { type ProcessorTime, trackProcessorTime } from "./processor-time.ts";

const httpFunctions = toHttpFunctions(routes);

/** A function of the stack to start in another process. */
export type StackFunction = { file: string; environment: Record<string, string> };

/** A running stack with helpers for topics. */
export type BenchStack = TestStack & {
  /** A service's API key with all scopes, which no user's role limits, and the path of its tenant. */
  apiKey: string;
  tenantPath: string;
  agentId: string;
  table: string;
  /** Of the threads that the stack starts. */
  processor: ProcessorTime;
  findFunction: (operation: string) => StackFunction;
  /** Calls the API with the key and returns the body of a 2xx; throws otherwise. */
  send: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<string>;
};

const settings = {
  RATE_LIMIT_REQUESTS: "100000000",
  RATE_LIMIT_INBOUND_REQUESTS: "100000000",
  // A new rate-limit window costs a storage call, so none may start during a measurement.
  RATE_LIMIT_WINDOW_SECONDS: "86400",
};

/** Starts the product with limits that no benchmark reaches. */
export const startBenchStack = async (
  more: Record<string, string> = {},
  observed: Pick<StackOptions, "table" | "via" | "observe"> = {},
): Promise<BenchStack> => {
  const given = { ...settings, ...more };
  const processor = trackProcessorTime();
  const stack = await startLocalStack({ settings: given, clock: "stopped", ...observed });
  const { config } = readLocalSettings(given);
  const assembly = readAssembly((await prepare(config)).assembly);
  const { functions, tables } = readModel(assembly, stack.services);
  const local = LocalJson.parse(
    JSON.parse(readFileSync(join(stack.dataDir, "local.json"), "utf8")),
  );
  const tenantPath = `/v1/tenants/${local.tenantSlug}`;
  const call = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body: unknown,
  ): Promise<string> => {
    const response = await fetch(stack.baseUrl + path, {
      method,
      headers: { ...headers, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status} ${text}`);
    return text;
  };
  const table = tables[0]?.name ?? "";
  const apiKey = makeApiKey(config.KEY_PREFIX, randomBytes);
  await importApiKey(connectTable(table, stack.dynamodbEndpoint), systemRuntime, {
    organizationId: local.organizationId,
    name: "bench",
    scopes: [...presets.Admin],
    prefix: config.KEY_PREFIX,
    sha256: hashApiKey(apiKey),
  });
  return {
    ...stack,
    apiKey,
    tenantPath,
    agentId: seedNames.agentId,
    table,
    processor,
    findFunction: (operation) => {
      const shared = httpFunctions.find(({ rows }) =>
        rows.some((row) => row.operation === operation),
      );
      const expected = functionName(config.STACK_PREFIX, shared?.name ?? operation);
      const fn = functions.find(({ name }) => name === expected);
      if (!fn) throw new Error(`there is no function ${operation}`);
      const endpoints = { ...stack, jwksUrl: stack.services + jwksPath };
      return { file: parseHandler(fn).file, environment: buildEnvironment(fn, endpoints) };
    },
    send: (method, path, body, headers) =>
      call(method, path, { "x-api-key": apiKey, ...headers }, body),
    close: async () => {
      processor.stop();
      await stack.close();
    },
  };
};
