import * as z from "zod";
import { listRecords } from "../faults/scenario.ts";
import { type Pushes, sendPushes, Webhook } from "../faults/scenarios/send-pushes.ts";
import type { TestTenant, World } from "../faults/world.ts";
import { runByWorkers } from "../harness/run-by-workers.ts";

const out = { id: "out", type: "Output", value: "{% input.event.payload.n %}" };
const parametersMetadata = [{ name: "event", type: "Json" }];
/** One that only computes runs when its delivery is dispatched, the other one by a worker. */
const revisions = {
  computing: { parametersMetadata, flow: { steps: [out], edges: [] } },
  queued: { parametersMetadata, ...runByWorkers(out, "echo") },
};
type AgentId = keyof typeof revisions;
const agentIds: readonly AgentId[] = ["computing", "queued"];

const Deliveries = z.looseObject({
  items: z.array(
    z.looseObject({
      deliveryId: z.string().nullable(),
      status: z.string(),
      results: z.array(z.looseObject({ executionId: z.string().nullable() })),
    }),
  ),
  nextPageToken: z.string().nullable(),
});

/** The outcome of the deliveries to a tenant. Latencies in milliseconds, from the first attempt to the end of the execution. */
export type TenantOutcome = {
  accepted: number;
  lost: number;
  twice: number;
  failed: number;
  latencies: number[];
};

/** A tenant with webhooks that start its agents. */
export type LoadTenant = {
  /** Sends a delivery with a number of its own to one of its webhooks, until it is accepted. */
  deliver: (n: number) => Promise<void>;
  /** Returns the number of executions that have ended, up to the accepted deliveries. */
  countEnded: () => Promise<number>;
  readOutcome: () => Promise<TenantOutcome>;
};

type LoadWebhook = { id: string; pushes: Pushes; sentAt: Map<number, number> };

/** Creates a tenant with two agents, which take turns in subscribing to its webhooks. */
export const createLoadTenant = async (world: World, webhooks: number): Promise<LoadTenant> => {
  const tenant = await world.newTenant();
  for (const agentId of agentIds) await tenant.deployAgent(agentId, revisions[agentId]);
  const all: LoadWebhook[] = [];
  for (let at = 0; at < webhooks; at += 1) {
    all.push(await createWebhook(tenant, agentIds[at % agentIds.length] ?? "computing"));
  }
  const listAll = async () =>
    (await Promise.all(agentIds.map((agentId) => listRecords(tenant, agentId)))).flat();
  const countAccepted = () => all.reduce((sum, { pushes }) => sum + pushes.accepted.size, 0);
  return {
    deliver: async (n) => {
      const webhook = all[n % all.length];
      webhook?.sentAt.set(n, Date.now());
      await webhook?.pushes.deliver(n);
    },
    countEnded: async () => {
      const records = await listAll();
      return records.filter(({ status }) => status !== "Queued" && status !== "Running").length;
    },
    readOutcome: async () => {
      const records = await listAll();
      const ended = new Map(records.map(({ id, endTime }) => [id, endTime]));
      const perWebhook = await Promise.all(all.map((one) => readWebhook(tenant, one, ended)));
      return {
        accepted: countAccepted(),
        lost: perWebhook.reduce((sum, { lost }) => sum + lost, 0),
        twice: Math.max(0, records.length - countAccepted()),
        failed: records.filter(({ status }) => status !== "Succeeded").length,
        latencies: perWebhook.flatMap(({ latencies }) => latencies),
      };
    },
  };
};

const createWebhook = async (tenant: TestTenant, agentId: AgentId): Promise<LoadWebhook> => {
  const created = await tenant.mustSend("POST", "/webhooks", { body: { provider: "github" } });
  const webhook = Webhook.parse(created.body);
  await tenant.mustSend("POST", `/webhooks/${webhook.id}/subscriptions`, {
    body: { subscriberType: "Agent", subscriberId: agentId },
  });
  return { id: webhook.id, pushes: sendPushes(tenant, webhook), sentAt: new Map() };
};

/** Finds the execution of each accepted delivery of a webhook. */
const readWebhook = async (
  tenant: TestTenant,
  { id, pushes, sentAt }: LoadWebhook,
  ended: ReadonlyMap<string, number | null>,
): Promise<{ lost: number; latencies: number[] }> => {
  const found = new Map<string, string>();
  for (let skip: string | null = "0"; skip !== null; ) {
    const path = `/webhooks/${id}/deliveries?PageSize=200&PageToken.Skip=${skip}`;
    const page = Deliveries.parse((await tenant.mustSend("GET", path)).body);
    for (const { deliveryId, results } of page.items) {
      const executionId = results[0]?.executionId;
      if (deliveryId && executionId) found.set(deliveryId, executionId);
    }
    skip = page.nextPageToken;
  }
  const latencies = [...pushes.accepted].flatMap((n) => {
    const end = ended.get(found.get(`delivery-${n}`) ?? "");
    return end ? [end - (sentAt.get(n) ?? end)] : [];
  });
  return { lost: pushes.accepted.size - latencies.length, latencies };
};
