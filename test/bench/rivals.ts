import type { Topic } from "./bench.ts";
import { type LoadOrder, startLoad } from "./load.ts";
import { startN8n } from "./n8n.ts";
import { githubPush } from "./objects.ts";
import { median } from "./statistics.ts";
import { connections, createWorks, type Work } from "./throughput.ts";

/** Units of work per second of this product and of n8n, which take turns: the other one is idle. */
export const rivals =
  (directory: string): Topic =>
  async ({ short, stack }) => {
    const product = await stack();
    const n8n = await startN8n(directory);
    const load = startLoad();
    try {
      const ours = await createWorks(product, load.run);
      const order = (path: string, body: unknown): Omit<LoadOrder, "connections" | "requests"> => ({
        url: `${n8n.baseUrl}/${path}`,
        method: "POST",
        headers: { "content-type": "application/json", "x-github-event": "push" },
        body: JSON.stringify(body),
        longestSeconds: 120,
      });
      const flow = order("flow", { input: { name: "you" } });
      const theirs = [flow, order("accept", githubPush), order("push", githubPush)].map(
        (order): Work["run"] =>
          async (requests) => {
            const { seconds, latencies } = await load.run({ ...order, connections, requests });
            return latencies.length / seconds;
          },
      );
      const alone = async (requests: number): Promise<number> =>
        median((await load.run({ ...flow, connections: 1, requests })).latencies);
      const rows = [];
      for (const [at, { name, requests, run }] of ours.works.entries()) {
        const effort = short ? Math.ceil(requests / 20) : requests;
        const pair = [run, theirs[at] ?? run];
        const rates: number[][] = [[], []];
        // Both compile their code while they run: they are compared when that is done.
        for (const each of pair) await each(effort);
        for (let round = 0; round < (short ? 1 : 3); round += 1) {
          for (const [side, each] of pair.entries()) rates[side]?.push(await each(effort));
        }
        const [mine = 0, other = 0] = rates.map(median);
        rows.push([name, mine, other, mine / other]);
      }
      const requests = short ? 20 : 200;
      const [mine, other] = [await ours.alone(requests), await alone(requests)];
      return {
        title: `rivals: units of work per second at ${connections} connections, compared to n8n`,
        columns: ["unit of work", "per second", "n8n: per second", "to n8n"],
        rows,
        notes: [
          "Medians of the rounds. In n8n a workflow is the agent, and nothing of an execution is kept.",
          `One connection, three steps: median ${mine.toFixed(1)} ms, n8n ${other.toFixed(1)} ms.`,
        ],
      };
    } finally {
      await load.close();
      await n8n.close();
    }
  };
