import * as z from "zod";
import {
  appears,
  differs,
  leftovers,
  listRecords,
  type Scenario,
  settled,
  stillOpen,
  unsuccessful,
  wrongEffects,
  wrongUsage,
} from "../scenario.ts";
import type { TestTenant } from "../world.ts";
import { sendPushes, Webhook } from "./send-pushes.ts";
import { effectStep } from "./steps.ts";

const Deliveries = z.looseObject({
  items: z.array(z.looseObject({ deliveryId: z.string().nullable(), status: z.string() })),
  nextPageToken: z.string().nullable(),
});
const agents = ["first", "second"] as const;
/** It only computes, so the call of the dispatch runs it. */
const computing = "third";
const all = [...agents, computing];

/** Signed deliveries to three agents, two of which have an effect, which their provider sends twice. */
export const deliveries: Scenario = {
  name: "deliveries",
  prepare: async (world) => {
    const tenant = await world.newTenant();
    for (const agent of agents) {
      await tenant.deployAgent(agent, {
        parametersMetadata: [{ name: "event", type: "Json" }],
        flow: {
          steps: [effectStep(world, `${tenant.id}-${agent}-{% input.event.payload.n %}`)],
          edges: [],
        },
      });
    }
    await tenant.deployAgent(computing, {
      parametersMetadata: [{ name: "event", type: "Json" }],
      flow: {
        steps: [{ id: "out", type: "Output", value: "{% input.event.payload.n + 1 %}" }],
        edges: [],
      },
    });
    const body = { provider: "github" };
    const webhook = Webhook.parse((await tenant.mustSend("POST", "/webhooks", { body })).body);
    for (const subscriberId of all) {
      await tenant.mustSend("POST", `/webhooks/${webhook.id}/subscriptions`, {
        body: { subscriberType: "Agent", subscriberId },
      });
    }
    const { deliver, accepted, wrong } = sendPushes(tenant, webhook);
    return {
      tenantId: tenant.id,
      act: async (n) => {
        await Promise.all([deliver(n), deliver(n)]);
        await appears(() =>
          agents.every((agent) => world.effects.counts.has(`${tenant.id}-${agent}-${n}`)),
        );
      },
      check: async () => {
        const names = agents.flatMap((agent) =>
          [...accepted].map((n) => `${tenant.id}-${agent}-${n}`),
        );
        const broken = await settled(async () => {
          const records = await Promise.all(all.map((agent) => listRecords(tenant, agent)));
          return [
            ...(await leftovers(world, tenant.id)),
            ...names
              .filter((name) => !world.effects.counts.has(name))
              .map((name) => `lost: ${name}`),
            ...stillOpen(records.flat()),
            ...differs("executions that only compute", records.at(-1)?.length, accepted.size),
          ];
        });
        const records = await Promise.all(all.map((agent) => listRecords(tenant, agent)));
        return [
          ...wrong,
          ...broken,
          ...(await unsuccessful(tenant, records.flat())),
          ...differs(
            "executions by agent",
            records.map(({ length }) => length),
            all.map(() => accepted.size),
          ),
          ...(await wrongUsage(tenant, agents[0], records[0] ?? [])),
          ...(await wrongUsage(tenant, agents[1], records[1] ?? [])),
          ...(await wrongUsage(tenant, computing, records[2] ?? [])),
          ...differs(
            "dispatched ids of the provider",
            (await dispatchedIds(tenant, webhook.id)).toSorted(),
            [...accepted].map((n) => `delivery-${n}`).toSorted(),
          ),
          ...wrongEffects(world, names),
        ];
      },
    };
  },
};

/** Lists the provider's ids of all deliveries without duplicates. */
const dispatchedIds = async (tenant: TestTenant, webhookId: string): Promise<string[]> => {
  const found: string[] = [];
  for (let skip: string | null = "0"; skip !== null; ) {
    const path = `/webhooks/${webhookId}/deliveries?PageSize=200&PageToken.Skip=${skip}`;
    const page = Deliveries.parse((await tenant.mustSend("GET", path)).body);
    const dispatched = page.items.filter(({ status }) => status !== "Duplicate");
    found.push(...dispatched.map(({ deliveryId }) => deliveryId ?? "none"));
    skip = page.nextPageToken;
  }
  return found;
};
