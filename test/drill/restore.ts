import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import {
  DescribeTimeToLiveCommand,
  UpdateContinuousBackupsCommand,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { credentialsFor } from "../../infra/local/access/credentials.ts";
import { operator } from "../../infra/local/operator.ts";
import { readAssembly } from "../../infra/local/template/assembly.ts";
import { readModel } from "../../infra/local/template/model.ts";
import type { Item } from "../../infra/tenant/classify.ts";
import { findIndexes } from "../../infra/tenant/find-indexes.ts";
import { type Installation, openLocal } from "../../infra/tenant/installation.ts";
import { formatItem } from "../../infra/tenant/item-json.ts";
import { markLostVectors } from "../../infra/tenant/mark-lost-vectors.ts";
import { findTenant } from "../../infra/tenant/subject.ts";
import { tableFamilies } from "../../infra/tenant/table-families.ts";
import { putItems, scanTable } from "../../infra/tenant/table-items.ts";
import { countVectors, deleteIndex } from "../../infra/tenant/vectors.ts";
import { startLocalStack, type TestStack } from "../harness/local-stack.ts";

/*
 * The drill of docs/restore.md on the local stack. The engine has no point-in-time recovery: a copy of the table as it
 * was at the recovery point stands for it. The new table, its use and the synchronization are the product's own.
 */

const restoredName = "Wharf-restored";
const executions = 200;
const documents = 20;

const noPace = async (): Promise<void> => undefined;
const started = performance.now();
const report = (line: string): void => {
  const seconds = ((performance.now() - started) / 1_000).toFixed(1).padStart(6);
  console.log(`${seconds} s  ${line}`);
};

const open = (stack: TestStack): Installation => {
  const credentials = credentialsFor(stack.secret, operator);
  const { tables } = readModel(readAssembly(stack.assembly), stack.services);
  return openLocal({ ...stack, credentials, table: tables.at(-1)?.name ?? "" }, "Wharf");
};

const readTable = async (installation: Installation): Promise<Item[]> => {
  const all: Item[] = [];
  const scan = { segment: 0, segments: 1, after: undefined, isConsistent: true };
  for await (const { items } of scanTable(installation, scan, noPace)) all.push(...items);
  return all;
};

const describeItems = (items: readonly Item[]): string => {
  const bytes = items.reduce((total, item) => total + formatItem(item).length, 0);
  return `${items.length} items, ${bytes} bytes as JSON`;
};

type Call = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ status: number; body: unknown }>;

const connectClient = async (stack: TestStack): Promise<Call> => {
  const token = await stack.token({ org: "drill", role: "admin" });
  return async (method, path, body) => {
    const response = await fetch(`${stack.baseUrl}/v1/tenants${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  };
};

const waitUntil = async (holds: () => Promise<boolean>): Promise<void> => {
  for (let attempt = 0; !(await holds()); attempt += 1) {
    if (attempt === 300) throw new Error("waited too long");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

const Found = z.looseObject({
  items: z.array(z.unknown()).optional(),
  results: z.array(z.unknown()).optional(),
});
const countFound = (body: unknown): number => {
  const { items, results } = Found.parse(body);
  return (items ?? results ?? []).length;
};

const Status = z.looseObject({ status: z.string() });

const prepare = async (call: Call): Promise<void> => {
  await call("POST", "", { slug: "drill", displayName: "Drill" });
  await call("POST", "/drill/agents", { id: "hello", displayName: "Hello" });
  await call("POST", "/drill/agents/hello/revisions", {
    parametersMetadata: [{ name: "name", type: "String" }],
    flow: { steps: [{ id: "out", type: "Output", value: "{% input.name %}" }], edges: [] },
  });
  await call("POST", "/drill/agents/hello/revisions/1:deploy");
  for (let at = 0; at < executions; at += 1) {
    await call("POST", "/drill/agents/hello:execute", { input: { name: `run ${at}` } });
  }
  await call("POST", "/drill/assets", { id: "docs", displayName: "Docs", type: "upload" });
  for (let at = 0; at < documents; at += 1) {
    await call("POST", `/drill/assets/docs/documents?name=${at}.txt`, `The fact number ${at}.`);
  }
  await waitUntil(async () => {
    const { body } = await call("GET", "/drill/assets/docs/documents?PageSize=100");
    const { items } = z.object({ items: z.array(Status) }).parse(body);
    return items.length === documents && items.every(({ status }) => status === "Indexed");
  });
};

const search = async (call: Call): Promise<number> =>
  countFound(
    (await call("POST", "/drill/assets:search", { query: "fact number 7", assetIds: ["docs"] }))
      .body,
  );

const paths = [
  "/drill/agents/hello",
  "/drill/agents/hello/execution-records?PageSize=100",
  "/drill/assets/docs/documents?PageSize=100",
];
const readResponses = async (call: Call): Promise<string> =>
  JSON.stringify(await Promise.all(paths.map((path) => call("GET", path))));

const dataDir = mkdtempSync(join(tmpdir(), "wharf-drill-"));
try {
  report(
    `load of the machine: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(" ")}`,
  );
  const before = await startLocalStack({ dataDir, clock: "stopped" });
  const source = open(before);
  const call = await connectClient(before);
  await prepare(call);
  const responses = await readResponses(call);
  const recovered = await readTable(source);
  report(
    `recovery point: ${source.table}, ${describeItems(recovered)}; a search finds ${await search(call)}`,
  );
  const family = tableFamilies.find(({ name }) => name === "documents");
  const [index = ""] = recovered.flatMap((item) =>
    item.indexed && family ? findIndexes("", { family }, item) : [],
  );
  await call("DELETE", "/drill/agents/hello");
  await waitUntil(async () => (await call("GET", "/drill/agents/hello")).status === 404);
  await deleteIndex(source, index);
  report(
    `accident: the agent is deleted (${(await call("GET", paths[0] ?? "")).status}), the index of vectors too`,
  );
  await before.close();

  const stopped = performance.now();
  const after = await startLocalStack({
    dataDir,
    clock: "stopped",
    settings: { RESTORED_TABLES: restoredName },
  });
  const target = open(after);
  const restoredCall = await connectClient(after);
  report(
    `functions use ${target.table}, which is empty: ${(await restoredCall("GET", paths[0] ?? "")).status}`,
  );
  await putItems(target, recovered, noPace);
  report(`restored: ${describeItems(await readTable(target))}`);
  for (const command of [
    new UpdateTimeToLiveCommand({
      TableName: target.table,
      TimeToLiveSpecification: { Enabled: true, AttributeName: "ttl" },
    }),
    new UpdateContinuousBackupsCommand({
      TableName: target.table,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    }),
  ]) {
    const name = command.constructor.name;
    const outcome = await (command instanceof UpdateTimeToLiveCommand
      ? target.dynamodb.send(command)
      : target.dynamodb.send(command)
    ).then(
      () => "accepted",
      (error: unknown) => `refused by the local engine: ${String(error).slice(0, 100)}`,
    );
    report(`${name}: ${outcome}`);
  }
  const { TimeToLiveDescription } = await target.dynamodb.send(
    new DescribeTimeToLiveCommand({ TableName: target.table }),
  );
  report(
    `expiry: ${TimeToLiveDescription?.TimeToLiveStatus} by ${TimeToLiveDescription?.AttributeName}`,
  );
  const areRestored = (await readResponses(restoredCall)) === responses;
  report(`responses are ${areRestored ? "as before" : "NOT as before"}`);
  if (!areRestored) process.exitCode = 1;
  report(`a search finds ${await search(restoredCall)} before the synchronization`);
  const tenant = await findTenant(target, "drill");
  const [lost] = await markLostVectors(target, tenant?.id ?? "");
  report(
    `documents without vectors: ${lost?.lost} of ${lost?.documents} of the asset ${lost?.assetId}`,
  );
  const synced = await restoredCall("POST", "/drill/assets/docs:sync");
  report(`synchronization of the asset: ${synced.status}`);
  await waitUntil(async () => (await countVectors(target, index)) === documents).catch(
    () => undefined,
  );
  report(
    `vectors: ${await countVectors(target, index)} of ${documents}; a search finds ${await search(restoredCall)}`,
  );
  if ((await countVectors(target, index)) !== documents) process.exitCode = 1;
  report(`recovery time: ${((performance.now() - stopped) / 1_000).toFixed(1)} s from the stop`);
  await after.close();
  report(
    `load of the machine: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(" ")}`,
  );
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit();
