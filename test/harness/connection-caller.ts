import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { configToolsLoader } from "../../lib/integrations/tools/config-tools.ts";
import { connect } from "../../lib/platform/db/database.ts";
import { TenantId } from "../../lib/platform/db/tenant-id.ts";
import { testProcessor } from "./processor.ts";
import { testTenant } from "./tenant.ts";

/*
 * An instance of a function in a process of its own: at the message "call" it makes concurrent calls of a tool with the access token of
 * a connection. It reports when a call begins to wait for the refresh by another, and then what the calls returned.
 */

const Task = z.object({
  endpoint: z.string(),
  table: z.string(),
  tenantId: TenantId,
  configId: z.string(),
  now: z.int(),
  calls: z.int(),
});

const { endpoint, table, tenantId, configId, now, calls } = Task.parse(
  JSON.parse(process.argv[2] ?? ""),
);
const credentials = { accessKeyId: "test", secretAccessKey: "test" };
const db = connect(table, new DynamoDBClient({ endpoint, region: "us-east-1", credentials }));
// Bytes that are counted up would be those of the other processes.
const runtime = { clock: () => now, randomBytes };

let isWaiting = false;
/** Waits for a quarter of the time. */
const sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
  if (!isWaiting) process.send?.({ type: "waiting" });
  isWaiting = true;
  await setTimeout(ms / 4, undefined, { signal });
};

const { deps } = testTenant(db);
// Each call has tools of its own: an instance shares nothing between them but its modules.
const call = async (): Promise<unknown> => {
  const { signal } = new AbortController();
  const processor = testProcessor();
  const tools = await configToolsLoader({ ...deps, runtime, sleep })(
    tenantId,
    { integrationId: "openapi", configId },
    { signal, processor, people: async () => ({}) },
  );
  return tools.get("me")?.run({}, { clock: runtime.clock, signal, processor });
};

process.once("message", async () => {
  const results = await Promise.allSettled(Array.from({ length: calls }, call));
  const reported = results.map((result) =>
    result.status === "fulfilled" ? result.value : { failed: String(result.reason) },
  );
  process.send?.({ type: "results", results: reported });
  process.disconnect();
});
process.send?.({ type: "ready" });
