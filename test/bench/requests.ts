import * as z from "zod";
import { localRegion } from "../../infra/local/template/physical.ts";
import type { Topic } from "./bench.ts";
import { startChild } from "./child.ts";
import { type LoadOrder, startLoad } from "./load.ts";
import { type BenchWebhook, createWebhook, githubPush } from "./objects.ts";
import type { BenchStack } from "./stack.ts";
import { median, quantile } from "./statistics.ts";
import type { Cell } from "./table.ts";

const connections = 10;

/** A server to measure, and its measurements. */
type Target = {
  order: LoadOrder;
  /** Returns the processor time that the server has used so far, in microseconds. */
  cpu: () => Promise<number>;
  rates: number[];
  latencies: number[];
  cpuMilliseconds: number[];
};

/** Requests per second through the local stack, compared to a bare server on the same engine. */
export const requests: Topic = async ({ short, stack }) => {
  const product = await stack();
  const bare = await startBareServer(product);
  const load = startLoad();
  try {
    const effort = short ? { scale: 0.1, longestSeconds: 0.25 } : { scale: 1, longestSeconds: 6 };
    const targets = buildTargets(product, bare, await createWebhook(product, "github"), effort);
    const rounds = short ? 2 : 3;
    for (const { order } of targets) {
      await load.run({
        ...order,
        requests: Math.ceil(order.requests / 2),
        longestSeconds: short ? 0.25 : 10,
      });
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const target of targets) await measure(target, load.run);
    }
    const [key, update, execute, bareExecute, single, bareSingle, inbound, parse, health, nothing] =
      targets.map(summary);
    return {
      title: `requests: the local stack at ${connections} connections, compared to a bare server`,
      columns: [
        "request",
        "req/s",
        "p50, ms",
        "p99, ms",
        "CPU, ms",
        "bare: req/s",
        "p50, ms",
        "p99, ms",
        "CPU, ms",
        "req/s to bare",
        "req/s to bare UpdateItem",
      ],
      rows: [
        compare("current key / UpdateItem", key, update, update),
        compare("execute hello / its 4 calls", execute, bareExecute, update),
        compare("execute hello / its 4 calls, one connection", single, bareSingle),
        compare("inbound GitHub push / parse, UpdateItem", inbound, parse, update),
        compare("health / nothing", health, nothing),
      ],
    };
  } finally {
    await load.close();
    await bare.close();
  }
};

type Effort = { scale: number; longestSeconds: number };

const buildTargets = (
  product: BenchStack,
  bare: BareServer,
  { inbound }: BenchWebhook,
  { scale, longestSeconds }: Effort,
): Target[] => {
  const target = (
    cpu: Target["cpu"],
    requests: number,
    order: Pick<LoadOrder, "url" | "method"> & Partial<LoadOrder>,
  ): Target => ({
    cpu,
    order: {
      headers: {},
      body: "",
      connections,
      requests: Math.ceil(requests * scale),
      longestSeconds,
      ...order,
    },
    rates: [],
    latencies: [],
    cpuMilliseconds: [],
  });
  const headers = { "x-api-key": product.apiKey };
  const tenant = product.baseUrl + product.tenantPath;
  const ownCpu = async () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  };
  const execute = {
    method: "POST",
    url: `${tenant}/agents/${product.agentId}:execute`,
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ input: { name: "you" } }),
  };
  const bareExecute = { method: "POST", url: `${bare.url}/execute` };
  // Each next to its bare one, so that a busy machine affects both.
  return [
    target(ownCpu, 1_500, { method: "GET", url: `${tenant}/apiKeys/current`, headers }),
    target(bare.cpu, 2_500, { method: "POST", url: `${bare.url}/update-item` }),
    target(ownCpu, 250, execute),
    target(bare.cpu, 500, bareExecute),
    target(ownCpu, 150, { ...execute, connections: 1 }),
    target(bare.cpu, 300, { ...bareExecute, connections: 1 }),
    target(ownCpu, 800, {
      method: "POST",
      url: `${product.baseUrl}${inbound}`,
      headers: { "content-type": "application/json", "x-github-event": "push" },
      body: JSON.stringify(githubPush),
    }),
    target(bare.cpu, 1_500, {
      method: "POST",
      url: `${bare.url}/parse`,
      body: JSON.stringify(githubPush),
    }),
    target(ownCpu, 3_000, { method: "GET", url: `${product.baseUrl}/health` }),
    target(bare.cpu, 8_000, { method: "GET", url: `${bare.url}/nothing` }),
  ];
};

type BareServer = { url: string; cpu: () => Promise<number>; close: () => Promise<void> };

const startBareServer = async (product: BenchStack): Promise<BareServer> => {
  const child = startChild(new URL("bare/server.ts", import.meta.url), {
    AWS_REGION: localRegion,
    AWS_ACCESS_KEY_ID: "bare",
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_ENDPOINT_URL_DYNAMODB: product.dynamodbEndpoint,
    TABLE_NAME: product.table,
  });
  const { port } = await child.receive(z.object({ port: z.int() }));
  return {
    url: `http://127.0.0.1:${port}`,
    cpu: async () =>
      (await child.ask({}, z.object({ cpuMicroseconds: z.number() }))).cpuMicroseconds,
    close: child.close,
  };
};

const measure = async (target: Target, run: ReturnType<typeof startLoad>["run"]): Promise<void> => {
  const before = await target.cpu();
  const { seconds, latencies } = await run(target.order);
  const cpu = (await target.cpu()) - before;
  target.rates.push(latencies.length / seconds);
  target.latencies.push(...latencies);
  target.cpuMilliseconds.push(cpu / 1_000 / latencies.length);
};

type Summary = { rates: readonly number[]; cells: Cell[] };

const summary = ({ rates, latencies, cpuMilliseconds }: Target): Summary => ({
  rates,
  cells: [
    Math.round(median(rates)),
    quantile(latencies, 0.5),
    quantile(latencies, 0.99),
    median(cpuMilliseconds),
  ],
});

const compare = (
  name: string,
  ours: Summary | undefined,
  bare: Summary | undefined,
  update?: Summary,
): Cell[] => [
  name,
  ...(ours?.cells ?? []),
  ...(bare?.cells ?? []),
  ratio(ours, bare),
  update ? ratio(ours, update) : "",
];

/** Compares the rates round by round, because a busy machine affects both of a round. */
const ratio = (ours: Summary | undefined, bare: Summary | undefined): number =>
  median((ours?.rates ?? []).map((rate, round) => rate / (bare?.rates[round] ?? Number.NaN)));
