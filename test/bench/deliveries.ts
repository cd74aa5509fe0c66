import * as z from "zod";
import type { Topic } from "./bench.ts";
import type { CountedStack } from "./counted-stack.ts";
import { median } from "./statistics.ts";
import type { Cell } from "./table.ts";

const Created = z.object({ id: z.string() });
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
export const deliveries: Topic = async ({ short, countedStack }) => {
  const stack = await countedStack();
  const agents = `${stack.tenantPath}/agents`;
  await stack.send("POST", agents, { id: agentId, displayName: agentId });
  await stack.send("POST", `${agents}/${agentId}/revisions`, revision);
  await stack.send("POST", `${agents}/${agentId}/revisions/1:deploy`);
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
        ["deliver-webhook", "dispatch-delivery", "notify-subscriber", "run-execution"].map(
          (operation) => countCalls(calls, operation, service),
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
      "run",
      "queue: accept",
      "dispatch",
      "notify",
      "run",
    ],
    rows,
    notes: [
      "Each subscriber is an agent, whose execution runs from the queue. Storage actions and queue calls are those of",
      "all functions involved, for all subscribers together. Each action of a transaction counts; calls of the queues'",
      "pollers do not.",
    ],
  };
};

type Webhook = { id: string; address: string };

const newWebhook = async (stack: CountedStack, subscribers: number): Promise<Webhook> => {
  const webhooks = `${stack.tenantPath}/webhooks`;
  const { id } = Created.parse(
    JSON.parse(await stack.send("POST", webhooks, { provider: "generic" })),
  );
  for (let at = 0; at < subscribers; at += 1) {
    const subscription = { subscriberType: "Agent", subscriberId: agentId };
    await stack.send("POST", `${webhooks}/${id}/subscriptions`, subscription);
  }
  return { id, address: `${webhooks}/generic/${id}/${stack.apiKey}` };
};

/** Returns the milliseconds from the response to each start, and until all succeeded. */
const deliver = async (
  stack: CountedStack,
  { id, address }: Webhook,
  subscribers: number,
): Promise<{ startedAfter: number[]; doneAfter: number }> => {
  await stack.send("POST", address, { hello: "world" });
  const accepted = Date.now();
  for (;;) {
    const list = await stack.send("GET", `${stack.tenantPath}/webhooks/${id}/deliveries`);
    const results = Deliveries.parse(JSON.parse(list)).items[0]?.results ?? [];
    const done = results.filter(({ status }) => status === "Succeeded");
    if (done.length === subscribers) {
      const doneAfter = Date.now() - accepted;
      const starts = done.slice(0, 100).map(({ executionId }) => startOf(stack, executionId ?? ""));
      return { startedAfter: (await Promise.all(starts)).map((at) => at - accepted), doneAfter };
    }
    await new Promise((resolve) => setTimeout(resolve, subscribers > 10 ? 250 : 20));
  }
};

const startOf = async (stack: CountedStack, executionId: string): Promise<number> => {
  const path = `${stack.tenantPath}/agents/${agentId}/execution-records/${executionId}/trace`;
  const { spans } = Trace.parse(JSON.parse(await stack.send("GET", path)));
  return Math.min(...spans.map(({ startTime }) => startTime));
};

const countCalls = (
  byFunction: Record<string, Record<string, number>>,
  operation: string,
  service: string,
): number =>
  Object.entries(byFunction)
    .filter(([name]) => name.includes(operation))
    .flatMap(([, actions]) => Object.entries(actions))
    .filter(([action]) => action.startsWith(service))
    .reduce((sum, [, count]) => sum + count, 0);
