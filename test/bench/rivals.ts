import type { Topic } from "./bench.ts";
import { type LoadOrder, startLoad } from "./load.ts";
import { type Edition, type N8n, n8nSettings, readN8nVersion, startN8n } from "./n8n.ts";
import { githubPush } from "./objects.ts";
import { type RivalWork, rivalTable } from "./rival-table.ts";
import { median } from "./statistics.ts";
import { connections, createWorks } from "./throughput.ts";

/** Measures one unit of work; returns units per second, or milliseconds. */
type Measure = (requests: number) => Promise<number>;

/** This product and n8n, as it is shipped and tuned, take turns at each unit of work: the others are idle. */
export const rivals =
  (directory: string): Topic =>
  async ({ short, stack }) => {
    const product = await stack();
    const running: N8n[] = [];
    const start = async (edition: Edition): Promise<N8n> => {
      const n8n = await startN8n(directory, edition);
      running.push(n8n);
      return n8n;
    };
    const load = startLoad();
    try {
      const ours = await createWorks(product, load.run);
      const shipped = n8nMeasures(await start("as shipped"), load.run);
      const tuned = n8nMeasures(await start("tuned"), load.run);
      const works = [
        ...ours.works.map(({ name, requests, run }) => ({ name, requests, run, isRate: true })),
        { name: oneConnection, requests: 200, run: ours.alone, isRate: false },
      ];
      const rounds = short ? 1 : 3;
      const measured: RivalWork[] = [];
      for (const [at, { name, requests, run, isRate }] of works.entries()) {
        const effort = short ? Math.ceil(requests / 20) : requests;
        const sides: Measure[] = [run, shipped[at] ?? run, tuned[at] ?? run];
        const figures: number[][] = sides.map(() => []);
        // All compile their code while they run: they are compared when that is done.
        for (const measure of sides) await measure(effort);
        for (let round = 0; round < rounds; round += 1) {
          for (const [side, measure] of sides.entries()) {
            figures[side]?.push(await measure(effort));
          }
        }
        const [wharf = [], asShipped = [], asTuned = []] = figures;
        const n8n = { "as shipped": asShipped, tuned: asTuned };
        measured.push({ name, unit: isRate ? "per second" : "ms", wharf, n8n });
      }
      const version = readN8nVersion(directory);
      return rivalTable(measured, { version, settings: n8nSettings, connections, rounds });
    } finally {
      await load.close();
      for (const { close } of running) await close();
    }
  };

const oneConnection = "`:execute` of three steps, one connection";

/** Measures of n8n in the order of `createWorks`, and the latency on one connection. */
const n8nMeasures = (
  { baseUrl }: N8n,
  send: ReturnType<typeof startLoad>["run"],
): readonly Measure[] => {
  const order = (path: string, body: unknown): Omit<LoadOrder, "connections" | "requests"> => ({
    url: `${baseUrl}/${path}`,
    method: "POST",
    headers: { "content-type": "application/json", "x-github-event": "push" },
    body: JSON.stringify(body),
    longestSeconds: 120,
  });
  const flow = order("flow", { input: { name: "you" } });
  const rates = [flow, order("accept", githubPush), order("push", githubPush)].map(
    (work): Measure =>
      async (requests) => {
        const { seconds, latencies } = await send({ ...work, connections, requests });
        return latencies.length / seconds;
      },
  );
  const alone: Measure = async (requests) =>
    median((await send({ ...flow, connections: 1, requests })).latencies);
  return [...rates, alone];
};
