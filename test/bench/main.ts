import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { awsClient } from "./aws-client.ts";
import type { Topic } from "./bench.ts";
import { bundles } from "./bundles.ts";
import { calls } from "./calls.ts";
import { chat } from "./chat.ts";
import { coldStart } from "./cold-start.ts";
import { compression } from "./compression.ts";
import { startCountedStack } from "./counted-stack.ts";
import { deliveries } from "./deliveries.ts";
import { engine } from "./engine.ts";
import { estimate } from "./estimate.ts";
import { growth } from "./growth.ts";
import { knowledge } from "./knowledge.ts";
import { requests } from "./requests.ts";
import { rivals } from "./rivals.ts";
import { schedules } from "./schedules.ts";
import { startBenchStack } from "./stack.ts";
import { storage } from "./storage.ts";
import { renderTable } from "./table.ts";
import { throughput } from "./throughput.ts";
import { toolCall } from "./tool-call.ts";
import { warm } from "./warm.ts";

// `npm run bench`: prints one table per topic. See docs/benchmarks.md.
const { values } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    trace: { type: "boolean", default: false },
    json: { type: "string" },
    n8n: { type: "string" },
    langgraph: { type: "string" },
    only: { type: "string", multiple: true, default: [] },
  },
});
const topics: Readonly<Record<string, Topic>> = {
  bundles,
  engine: engine(values.langgraph),
  "cold-start": coldStart,
  warm,
  "aws-client": awsClient,
  compression,
  requests,
  throughput,
  ...(values.n8n !== undefined && { rivals: rivals(values.n8n) }),
  storage,
  calls,
  deliveries,
  chat,
  growth,
  estimate,
  knowledge,
  "tool-call": toolCall,
  // Last, because the executions that it starts continue after it.
  schedules,
};

const unknown = values.only.filter((name) => !(name in topics));
if (unknown.length > 0) {
  console.error(`There is no topic ${unknown.join(", ")}, only ${Object.keys(topics).join(", ")}.`);
  process.exit(1);
}

type Closable = { close: () => Promise<void> };
const started: Promise<Closable>[] = [];
/** Starts on first use; closed at the end. */
const shared = <Resource extends Closable>(
  start: () => Promise<Resource>,
): (() => Promise<Resource>) => {
  const starting: Promise<Resource>[] = [];
  return () => {
    const [first = start()] = starting;
    if (starting.length === 0) started.push(first);
    starting[0] = first;
    return first;
  };
};

const bench = {
  short: values.short,
  trace: values.trace,
  stack: shared(startBenchStack),
  countedStack: shared(startCountedStack),
};
const secondsSince = (start: number): string => ((performance.now() - start) / 1_000).toFixed(1);
const results: Record<string, unknown> = {};
const startedAt = performance.now();
try {
  for (const [name, topic] of Object.entries(topics)) {
    if (values.only.length > 0 && !values.only.includes(name)) continue;
    const start = performance.now();
    const table = await topic(bench);
    results[name] = table.data ?? { columns: table.columns, rows: table.rows };
    console.log(renderTable(table));
    console.error(`${name}: ${secondsSince(start)} s`);
  }
  if (values.json !== undefined) {
    writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
  }
} finally {
  for (const { close } of await Promise.all(started)) await close();
}
console.log(`${secondsSince(startedAt)} s, Node ${process.version}`);
