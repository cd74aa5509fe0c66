import * as z from "zod";
import type { Topic } from "./bench.ts";
import { type BenchWebhook, createWebhook, deployAgent } from "./objects.ts";
import type { BenchStack } from "./stack.ts";
import { median } from "./statistics.ts";
import { sumActions } from "./sum-actions.ts";
import type { Cell } from "./table.ts";

const Deliveries = z.object({
  items: z.array(
    z.object({
      results: z.array(z.object({ status: z.string(), executionId: z.string().nullable() })),
    }),
  ),
});
const Trace = z.object({ spans: z.array(z.object({ startTime: z.number() })).min(1) });

const agentId = "listener";
const revision = {
  parametersMetadata: [{ name: "event", type: "Json" }],
  flow: { steps: [{ id: "out", type: "Output", value: "done" }], edges: [] },
};

/** Time from the 2xx of a delivery to the start of its agents, and the storage and queue calls of notifying them. */
export const deliveries: Topic = async ({ short, stack: start }) => {
  const stack = await start();
  await deployAgent(stack, agentId, revision);
  await deliver(stack, await newWebhook(stack, 1), 1);
  const rows: Cell[][] = [];
  for (const subscribers of short ? [1, 10, 100] : [1, 10, 100, 1_000]) {
    const webhook = await newWebhook(stack, subscribers);
    await stack.storageCalls.reset();
    const { startedAfter, doneAfter } = await deliver(stack, webhook, subscribers);
    const calls = await stack.storageCalls.read();
    rows.push([
      subscribers,
      median(startedAfter),
      Math.max(...startedAfter),
      doneAfter,
      ...["dynamodb:", "sqs:"].flatMap((service) =>
        ["deliver-webhook", "dispatch-delivery", "notify-subscriber"].map((operation) =>
          sumActions(calls, operation, { service }),
        ),
      ),
    ]);
  }
  return {
    title: "deliveries: from the 2xx of an inbound webhook to its subscribers",
    columns: [
      "subscribers",
      "median start, ms",
      "last start, ms",
      "all done, ms",
      "storage: accept",
      "dispatch",
      "notify",
      "queue: accept",
      "dispatch",
      "notify",
    ],
    rows,
    notes: [
      "All subscribers are agents that only compute: they run in the call of the dispatch, more than ten in the calls that",
      "notify them. Storage actions and queue calls are those of all functions involved, for all subscribers together.",
      "Every action of a transaction counts; calls of the queues' pollers do not.",
    ],
  };
};

const newWebhook = (stack: BenchStack, count: number): Promise<BenchWebhook> =>
  createWebhook(stack, "generic", { agentId, count });

/** Returns the milliseconds from the response to each start, and until all succeeded. */
const deliver = async (
  stack: BenchStack,
  { id, inbound }: BenchWebhook,
  subscribers: number,
): Promise<{ startedAfter: number[]; doneAfter: number }> => {
  await stack.send("POST", inbound, { hello: "world" });
  const accepted = Date.now();
  for (;;) {
    const list = await stack.send("GET", `${stack.tenantPath}/webhooks/${id}/deliveries`);
    const results = Deliveries.parse(JSON.parse(list)).items[0]?.results ?? [];
    const done = results.filter(({ status }) => status === "Succeeded");
    if (done.length === subscribers) {
      const doneAfter = Date.now() - accepted;
      const starts = done
        .slice(0, 100)
        .map(({ executionId }) => readStart(stack, executionId ?? ""));
      return { startedAfter: (await Promise.all(starts)).map((at) => at - accepted), doneAfter };
    }
    await new Promise((resolve) => setTimeout(resolve, subscribers > 10 ? 250 : 20));
  }
};

const readStart = async (stack: BenchStack, executionId: string): Promise<number> => {
  const path = `${stack.tenantPath}/agents/${agentId}/execution-records/${executionId}/trace`;
  const { spans } = Trace.parse(JSON.parse(await stack.send("GET", path)));
  return Math.min(...spans.map(({ startTime }) => startTime));
};
