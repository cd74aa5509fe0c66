import * as z from "zod";
import { schedulesPath } from "../../infra/local/storage/endpoint.ts";
import type { Topic } from "./bench.ts";
import { deployAgent } from "./objects.ts";
import type { BenchStack } from "./stack.ts";
import { sumActions } from "./sum-actions.ts";

const policiesPerAgent = 200;
const Schedules = z.array(z.object({ description: z.string(), due: z.int() }));
const Report = z.object({ fired: z.int(), failed: z.int() });
const Tenant = z.object({ id: z.string() });

const buildUuid = (number: number): string =>
  `0193f0a0-7c4b-7000-8000-${String(number).padStart(12, "0")}`;

/** Time to create, fire and start many schedules that are due in one minute. */
export const schedules: Topic = async ({ short, stack: start }) => {
  const stack = await start();
  const agentCount = short ? 2 : 50;
  const count = agentCount * policiesPerAgent;
  const tenant = Tenant.parse(JSON.parse(await stack.send("GET", stack.tenantPath)));
  const own = async () =>
    Schedules.parse(
      await (
        await fetch(stack.services + schedulesPath, { headers: stack.operatorHeaders })
      ).json(),
    ).filter(({ description }) => description.startsWith(`tenant ${tenant.id}, agent clerk-`));

  await stack.storageCalls.reset();
  const making = performance.now();
  for (let at = 0; at < agentCount; at += 1) await deployClerk(stack, `clerk-${at}`);
  const all = await until(own, (found) => found.length === count);
  const madeMs = performance.now() - making;
  const made = await stack.storageCalls.read();

  await stack.storageCalls.reset();
  const due = Math.max(...all.map((schedule) => schedule.due));
  const firing = performance.now();
  const body = JSON.stringify({ until: due });
  const response = await fetch(stack.services + schedulesPath, {
    method: "POST",
    body,
    headers: stack.operatorHeaders,
  });
  const { fired } = Report.parse(await response.json());
  const firedMs = performance.now() - firing;
  await until(
    () => stack.storageCalls.read(),
    (calls) => sumActions(calls, "start-scheduled", { service: "sqs:SendMessage" }) >= fired,
  );
  const startMs = performance.now() - firing;
  const startCalls = await stack.storageCalls.read();
  const perMessage = (service: string) =>
    sumActions(startCalls, "start-scheduled", { service, but: pollerActions }) / fired;
  return {
    title: "schedules: job policies that are due in one minute",
    columns: [
      "schedules",
      "created/s",
      "storage: create one",
      "fired/s",
      "started/s",
      "storage: start one",
      "queue: start one",
    ],
    rows: [
      [
        count,
        (count / madeMs) * 1_000,
        sumActions(made, "start-scheduled", { service: "dynamodb:" }) / count,
        (fired / firedMs) * 1_000,
        (fired / startMs) * 1_000,
        perMessage("dynamodb:"),
        perMessage("sqs:"),
      ],
    ],
    notes: [
      `${policiesPerAgent} policies per agent. Created: from the first deployment until all exist. Fired: until the queue has`,
      "them. Started: until each has its execution on the queue, while earlier executions already run.",
    ],
  };
};

const deployClerk = (stack: BenchStack, agentId: string): Promise<string> =>
  deployAgent(stack, agentId, {
    flow: { steps: [{ id: "out", type: "Output", value: "done" }], edges: [] },
    jobPolicyConfigs: Array.from({ length: policiesPerAgent }, (_, at) => ({
      id: buildUuid(at),
      scheduleFrequency: "hourly",
      scheduleMinute: "17",
    })),
  });

/** Calls of a queue's poller, which are counted for the function. */
const pollerActions = ["sqs:ReceiveMessage", "sqs:DeleteMessage"];

const until = async <Value>(
  read: () => Promise<Value>,
  isThere: (value: Value) => boolean,
): Promise<Value> => {
  for (;;) {
    const value = await read();
    if (isThere(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
};
