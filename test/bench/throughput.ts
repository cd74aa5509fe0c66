import * as z from "zod";
import { servicesThread } from "../../infra/local/storage/start-storage-thread.ts";
import type { Topic } from "./bench.ts";
import { startLoad } from "./load.ts";
import { createWebhook, deployAgent, githubPush } from "./objects.ts";
import { type ProcessorTime, readTimeBelow } from "./processor-time.ts";
import type { BenchStack } from "./stack.ts";
import { median } from "./statistics.ts";
import type { Cell } from "./table.ts";
import { onPush, threeSteps } from "./units.ts";

/** Connections of the load. */
export const connections = 10;
const dayMs = 86_400_000;
const Usage = z.object({ items: z.array(z.object({ executionCount: z.int() })) });

/** A unit of work to repeat. */
export type Work = {
  name: string;
  requests: number;
  /** Returns the requests per second, up to the end of the work that they start. */
  run: (requests: number) => Promise<number>;
};

/** Units of work per second that the local stack completes, and the latency of one connection. */
export const throughput: Topic = async ({ short, stack: start }) => {
  const stack = await start();
  const { processor } = stack;
  const load = startLoad();
  try {
    const { works, alone } = await createWorks(stack, load.run);
    const rows: Cell[][] = [];
    for (const { name, requests, run } of works) {
      const effort = short ? Math.ceil(requests / 10) : requests;
      await run(Math.ceil(effort / 2));
      const rates: number[] = [];
      const parts: Parts[] = [];
      for (let round = 0; round < (short ? 1 : 4); round += 1) {
        const before = await readParts(processor);
        rates.push(await run(effort));
        const after = await readParts(processor);
        parts.push(after.map((used, at) => (used - (before[at] ?? 0)) / effort));
      }
      const rate = [median(rates), Math.min(...rates), Math.max(...rates)];
      rows.push([
        name,
        ...rate,
        ...partNames.map((_, at) => median(parts.map((one) => one[at] ?? 0))),
      ]);
    }
    const latency = await alone(short ? 20 : 200);
    return {
      title: `throughput: units of work per second at ${connections} connections`,
      columns: ["unit of work", "per second", "slowest round", "fastest round", ...partNames],
      rows,
      notes: [
        "A push with an agent counts when its execution has ended. Medians of the rounds.",
        "CPU: processor time per unit of work. Services: queues and objects. Gateway: with the garbage collector and the compiler of all threads.",
        `One connection, \`:execute\` of three steps: median ${latency.toFixed(1)} ms.`,
      ],
    };
  } finally {
    await load.close();
  }
};

const partNames = ["CPU, ms", "functions, ms", "services, ms", "engine, ms", "gateway, ms"];

/** Milliseconds so far, in the order of `partNames`. */
type Parts = readonly number[];

const readParts = async (processor: ProcessorTime): Promise<Parts> => {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1_000;
  const threads = await processor.read();
  const all = [...threads.values()].reduce((sum, used) => sum + used, 0) / 1_000;
  const services = (threads.get(servicesThread) ?? 0) / 1_000;
  const engine = readTimeBelow("dynoxide");
  return [own + engine, all - services, services, engine, own - all];
};

type Run = ReturnType<typeof startLoad>["run"];

/** Creates what the units of work need; returns them, and the latency of `:execute` on one connection. */
export const createWorks = async (
  stack: BenchStack,
  send: Run,
): Promise<{ works: Work[]; alone: (requests: number) => Promise<number> }> => {
  const suffix = Date.now();
  const agentId = `pushed-${suffix}`;
  const execute = await deployAgent(stack, `three-${suffix}`, threeSteps);
  await deployAgent(stack, agentId, onPush);
  const unsubscribed = await createWebhook(stack, "github");
  const subscribed = await createWebhook(stack, "github", { agentId, count: 1 });
  const post = (path: string, body: unknown, headers: Record<string, string>) => ({
    url: stack.baseUrl + path,
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    longestSeconds: 120,
  });
  const executeOrder = post(
    `${execute}:execute`,
    { input: { name: "you" } },
    { "x-api-key": stack.apiKey },
  );
  const pushOrder = (inbound: string) => post(inbound, githubPush, { "x-github-event": "push" });
  const measureRate = async (order: ReturnType<typeof post>, requests: number): Promise<number> => {
    const { seconds, latencies } = await send({ ...order, connections, requests });
    return latencies.length / seconds;
  };
  return {
    works: [
      {
        name: "`:execute` of three steps",
        requests: 600,
        run: (requests) => measureRate(executeOrder, requests),
      },
      {
        name: "push accepted, no subscriber",
        requests: 1_500,
        run: (requests) => measureRate(pushOrder(unsubscribed.inbound), requests),
      },
      {
        name: "push with one agent, to the end of its execution",
        requests: 1_500,
        run: async (requests) => {
          const before = await countExecutions(stack, agentId);
          const startedAt = performance.now();
          await send({ ...pushOrder(subscribed.inbound), connections, requests });
          while ((await countExecutions(stack, agentId)) < before + requests) {
            await new Promise((resolve) => setTimeout(resolve, 100));
          }
          return (requests * 1_000) / (performance.now() - startedAt);
        },
      },
    ],
    alone: async (requests) =>
      median((await send({ ...executeOrder, connections: 1, requests })).latencies),
  };
};

/** Returns the number of executions of an agent that have ended. */
const countExecutions = async (stack: BenchStack, agentId: string): Promise<number> => {
  const today = new Date();
  const tomorrow = new Date(today.getTime() + dayMs);
  const [from, to] = [today, tomorrow].map((date) => date.toISOString().slice(0, 10));
  const path = `${stack.tenantPath}/usage?from=${from}&to=${to}&agent=${agentId}`;
  return Usage.parse(JSON.parse(await stack.send("GET", path))).items.reduce(
    (sum, { executionCount }) => sum + executionCount,
    0,
  );
};
