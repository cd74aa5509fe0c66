import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { findFreePort } from "../../infra/local/free-port.ts";

/** A running n8n with the workflows of `workflows`. */
export type N8n = { baseUrl: string; close: () => Promise<void> };

/** n8n with its own settings, or with those that make its work faster. */
export type Edition = "as shipped" | "tuned";

/**
 * Settings of each edition. n8n creates an isolate for each webhook call by default, which the legacy engine does not,
 * and keeps a record of each execution.
 */
export const n8nSettings = {
  "as shipped": {},
  tuned: { N8N_EXPRESSION_ENGINE: "legacy", EXECUTIONS_DATA_SAVE_ON_SUCCESS: "none" },
} as const satisfies Record<Edition, Record<string, string>>;

/** Settings of both, so that nothing leaves the machine and nothing but the work runs; none makes the work slower. */
const surroundings = {
  DB_TYPE: "sqlite",
  N8N_COMMUNITY_PACKAGES_ENABLED: "false",
  N8N_DIAGNOSTICS_ENABLED: "false",
  N8N_DISABLE_UI: "true",
  N8N_LISTEN_ADDRESS: "127.0.0.1",
  N8N_LOG_LEVEL: "error",
  N8N_PERSONALIZATION_ENABLED: "false",
  N8N_PUBLIC_API_DISABLED: "true",
  N8N_TEMPLATES_ENABLED: "false",
  N8N_VERSION_NOTIFICATIONS_ENABLED: "false",
  NODE_ENV: "production",
};

const setValue = (value: string, at: number) => ({
  parameters: {
    assignments: { assignments: [{ id: `value${at}`, name: "value", value, type: "string" }] },
    options: {},
  },
  id: `set${at}`,
  name: `Set ${at}`,
  type: "n8n-nodes-base.set",
  typeVersion: 3.4,
  position: [200 * at, 0],
});

/** A workflow that a POST to `/webhook/PATH` starts; its steps set values one after another. */
const workflow = (path: string, responseMode: "onReceived" | "lastNode", values: string[]) => {
  const webhook = {
    parameters: { httpMethod: "POST", path, responseMode, options: {} },
    id: "webhook",
    name: "Webhook",
    type: "n8n-nodes-base.webhook",
    typeVersion: 2,
    position: [0, 0],
    webhookId: path,
  };
  const nodes = [webhook, ...values.map((value, at) => setValue(value, at + 1))];
  const connections = Object.fromEntries(
    nodes.slice(1).map(({ name }, at) => {
      return [nodes[at]?.name, { main: [[{ node: name, type: "main", index: 0 }]] }];
    }),
  );
  return { id: path, name: path, nodes, connections, settings: { executionOrder: "v1" } };
};

const workflows = [
  workflow("accept", "onReceived", ["={{ $json.body.ref }}"]),
  workflow("push", "lastNode", ["={{ $json.body.ref }}"]),
  workflow("flow", "lastNode", [
    "=Hello, {{ $json.body.input.name }}!",
    "={{ $json.value.toUpperCase() }}",
    "={{ $json.value }}",
  ]),
];

/** Reads the version of the n8n that is installed in a directory. */
export const readN8nVersion = (directory: string): string =>
  z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(directory, "node_modules/n8n/package.json"), "utf8")))
    .version;

/** Starts the n8n that is installed in a directory, on a data folder of its own. */
export const startN8n = async (directory: string, edition: Edition): Promise<N8n> => {
  const folder = mkdtempSync(join(tmpdir(), "wharf-bench-n8n-"));
  const program = join(directory, "node_modules/n8n/bin/n8n");
  const port = await findFreePort();
  const { HOME = folder, PATH = "" } = process.env;
  const env = {
    ...surroundings,
    ...n8nSettings[edition],
    HOME,
    PATH,
    N8N_USER_FOLDER: folder,
    N8N_PORT: String(port),
    // Two run at the same time, and every one has its own broker.
    N8N_RUNNERS_BROKER_PORT: String(await findFreePort()),
  };
  const run = (...args: string[]): void => {
    execFileSync(process.execPath, [program, ...args], { env, stdio: "ignore" });
  };
  const file = join(folder, "workflows.json");
  writeFileSync(file, JSON.stringify(workflows));
  run("import:workflow", `--input=${file}`);
  for (const { id } of workflows) run("publish:workflow", `--id=${id}`);
  const log = openSync(join(folder, "n8n.log"), "a");
  const server = spawn(process.execPath, [program, "start"], { env, stdio: ["ignore", log, log] });
  const exited = once(server, "exit");
  const baseUrl = `http://127.0.0.1:${port}/webhook`;
  const close = async (): Promise<void> => {
    server.kill();
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };
  const isReady = (): Promise<boolean> =>
    fetch(`${baseUrl}/accept`, { method: "POST", body: "{}" }).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (server.exitCode !== null) throw new Error(`n8n does not start, see ${folder}/n8n.log`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return { baseUrl, close };
};
