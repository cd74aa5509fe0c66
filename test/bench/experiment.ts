import { parseArgs } from "node:util";
import * as z from "zod";
import { startCountedStack } from "./counted-stack.ts";
import { processMemory } from "./process-memory.ts";
import { trackProcessorTime } from "./processor-time.ts";
import { type BenchStack, startBenchStack } from "./stack.ts";
import { type Cell, renderTable } from "./table.ts";

// `npm run bench:experiment`: runs one large experiment with the provider echo. See docs/benchmarks.md.
const { values } = parseArgs({
  options: {
    examples: { type: "string", default: "10000" },
    revisions: { type: "string", default: "3" },
    concurrency: { type: "string", default: "20" },
    "max-cost": { type: "string" },
    counted: { type: "boolean", default: false },
  },
});
const examples = Number(values.examples);
const revisions = Number(values.revisions);
const maxCost = values["max-cost"] === undefined ? undefined : Number(values["max-cost"]);
const perRequest = 1_000;
const pollMs = 500;
/** Actions and milliseconds per run that a function must have to be shown. */
const leastShown = 0.1;

const Experiment = z.object({
  id: z.string(),
  status: z.string(),
  endedAt: z.int().nullable(),
  progress: z.object({ total: z.int().nullable(), completed: z.int(), failed: z.int() }),
});
const Detail = Experiment.extend({
  summary: z.array(z.object({ revision: z.int(), mean: z.number().nullable(), count: z.int() })),
});

const flow = {
  steps: [
    { id: "ask", type: "Prompt", prompt: "Hello, {% input.name %}!" },
    { id: "out", type: "Output", value: "{% $uppercase(steps.ask.output) %}" },
  ],
  edges: [{ source: "ask", target: "out" }],
};
const content = {
  parametersMetadata: [{ name: "name", type: "String", required: true }],
  llmConfigs: [{ providerId: "echo", parameters: {} }],
  flow,
};

/** Creates the agent with its revisions, the dataset and the scorer. */
const prepare = async ({ send, tenantPath }: BenchStack): Promise<void> => {
  await send("POST", `${tenantPath}/agents`, { id: "tested", displayName: "Tested" });
  for (let at = 0; at < revisions; at += 1) {
    await send("POST", `${tenantPath}/agents/tested/revisions`, content);
  }
  await send("POST", `${tenantPath}/datasets`, { id: "names", displayName: "Names" });
  for (let from = 0; from < examples; from += perRequest) {
    const items = Array.from({ length: Math.min(perRequest, examples - from) }, (_, at) => ({
      input: { name: `number ${from + at}` },
      expected: `HELLO, NUMBER ${from + at}!`,
    }));
    await send("POST", `${tenantPath}/datasets/names/examples`, { items });
  }
  const scorer = { id: "correct", displayName: "Correct", type: "Exact" };
  await send("POST", `${tenantPath}/scorers`, scorer);
};

const start = async ({ send, tenantPath }: BenchStack): Promise<string> => {
  const started = await send("POST", `${tenantPath}/experiments`, {
    datasetId: "names",
    agentId: "tested",
    revisions: Array.from({ length: revisions }, (_, at) => at + 1),
    scorers: ["correct"],
    concurrency: Number(values.concurrency),
    maxCost,
  });
  return Experiment.parse(JSON.parse(started)).id;
};

const processor = trackProcessorTime();
const counted = values.counted ? await startCountedStack() : undefined;
const stack = counted ?? (await startBenchStack());
try {
  await prepare(stack);
  await stack.storageCalls.reset();
  counted?.takeCalls();
  const before = await processor.read();
  const rows: Cell[][] = [["0 %", 0, 0, await processMemory()]];
  let calls = 0;
  const startedAt = performance.now();
  const id = await start(stack);
  const path = `${stack.tenantPath}/experiments/${id}`;
  const read = async () => Detail.parse(JSON.parse(await stack.send("GET", path)));
  let last = { completed: 0, time: startedAt };
  let experiment = await read();
  for (;;) {
    calls += counted?.takeCalls().filter(({ service }) => service === "dynamodb").length ?? 0;
    const { completed } = experiment.progress;
    const tenths = Math.floor((10 * completed) / (examples * revisions));
    if (tenths >= rows.length) {
      const now = performance.now();
      const speed = ((completed - last.completed) * 1_000) / (now - last.time);
      rows.push([`${tenths * 10} %`, (now - startedAt) / 1_000, speed, await processMemory()]);
      last = { completed, time: now };
    }
    if (experiment.endedAt !== null) break;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    experiment = await read();
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const { status, progress, summary } = experiment;
  const { completed } = progress;
  console.log(
    renderTable({
      title: `experiment: ${examples} examples, ${revisions} revisions, ${values.concurrency} at a time`,
      columns: ["progress", "s", "runs/s since", "memory, MB"],
      rows,
    }),
  );
  const after = await processor.read();
  const stored = await stack.storageCalls.read();
  const functions = new Set([...Object.keys(stored), ...after.keys()]);
  console.log(
    renderTable({
      title: "functions: per run",
      columns: ["function", "storage actions", "processor time, ms", "actions"],
      rows: [...functions].flatMap((name): Cell[][] => {
        const actions = Object.entries(stored[name] ?? {});
        const count = actions.reduce((sum, [, calls]) => sum + calls, 0);
        const microseconds = (after.get(name) ?? 0) - (before.get(name) ?? 0);
        const milliseconds = microseconds / 1_000 / completed;
        if (count / completed < leastShown && milliseconds < leastShown) return [];
        const list = actions
          .filter(([, calls]) => calls / completed >= leastShown)
          .map(([action, calls]) => `${action} ${(calls / completed).toFixed(2)}`);
        return [[name, count / completed, milliseconds, list.join(", ")]];
      }),
    }),
  );
  console.log(`${status}, ${JSON.stringify(progress)}, ${JSON.stringify(summary)}`);
  console.log(`${seconds.toFixed(1)} s, ${(completed / seconds).toFixed(1)} runs/s`);
  if (counted) console.log(`${(calls / completed).toFixed(2)} calls to DynamoDB per run`);
} finally {
  processor.stop();
  await stack.close();
}
