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
import type { TestTenant, World } from "../world.ts";
import { sendPushes, Webhook } from "./send-pushes.ts";
import { effectStep } from "./steps.ts";

const Created = z.looseObject({ id: z.string() });
const Page = z.object({
  items: z.array(
    z.looseObject({ status: z.string(), results: z.array(z.looseObject({ status: z.string() })) }),
  ),
  nextPageToken: z.string().nullable(),
});
/** More agents than the dispatcher starts itself. */
const members = Array.from({ length: 11 }, (_, at) => `s${at}`);

/** Deliveries to many agents, a connector, and a filter that does not match; their provider sends them twice. */
export const fanOuts: Scenario = {
  name: "fan-outs",
  prepare: async (world) => {
    const tenant = await world.newTenant();
    const webhook = await subscribed(world, tenant);
    const { deliver, accepted, wrong } = sendPushes(tenant, webhook);
    const listNames = (n: number) => [...members, "chat"].map((who) => `${tenant.id}-${who}-${n}`);
    return {
      tenantId: tenant.id,
      act: async (n) => {
        await Promise.all([deliver(n), deliver(n)]);
        await appears(() => listNames(n).every((name) => world.effects.counts.has(name)));
      },
      check: async () => {
        const names = [...accepted].flatMap(listNames);
        const broken = await settled(async () => [
          ...(await leftovers(world, tenant.id)),
          ...names.filter((name) => !world.effects.counts.has(name)).map((name) => `lost: ${name}`),
          ...stillOpen(await listRecords(tenant, "member")),
          ...(await wrongResults(tenant, webhook.id)),
        ]);
        const records = await listRecords(tenant, "member");
        return [
          ...wrong,
          ...broken,
          ...(await unsuccessful(tenant, records)),
          ...differs("executions", records.length, accepted.size * members.length),
          ...(await wrongUsage(tenant, "member", records)),
          ...wrongEffects(world, names),
        ];
      },
    };
  },
};

/** Creates a webhook with its subscribers. */
const subscribed = async (world: World, tenant: TestTenant) => {
  await tenant.deployAgent("member", {
    parametersMetadata: [
      { name: "who", type: "String" },
      { name: "n", type: "Integer" },
    ],
    flow: {
      steps: [effectStep(world, `${tenant.id}-{% input.who %}-{% input.n %}`)],
      edges: [],
    },
  });
  await tenant.deployAgent("bot", {
    parametersMetadata: [{ name: "message", type: "String" }],
    flow: { steps: [{ id: "say", type: "Transform", value: "{% input.message %}" }], edges: [] },
  });
  const parameters = { replyUrl: `${world.effects.url}/replies` };
  const created = await tenant.mustSend("POST", "/agents/bot/connectors", {
    body: { provider: "generic", parameters },
  });
  const agent = { subscriberType: "Agent", subscriberId: "member" };
  const subscriptions = [
    ...members.map((who) => ({ ...agent, input: { who, n: "{% payload.n %}" } })),
    { ...agent, filter: "payload.n < 0" },
    {
      subscriberType: "Connector",
      subscriberId: Created.parse(created.body).id,
      input: {
        user: { id: "u-1" },
        conversation: { id: "c-{% $string(payload.n) %}" },
        text: `${tenant.id}-chat-{% $string(payload.n) %}`,
      },
    },
  ];
  const body = { provider: "github" };
  const webhook = Webhook.parse((await tenant.mustSend("POST", "/webhooks", { body })).body);
  for (const subscription of subscriptions) {
    await tenant.mustSend("POST", `/webhooks/${webhook.id}/subscriptions`, { body: subscription });
  }
  return webhook;
};

/** Lists the deliveries with other results than those of their subscribers. */
const wrongResults = async (tenant: TestTenant, webhookId: string): Promise<string[]> => {
  const found: z.output<typeof Page>["items"] = [];
  for (let skip: string | null = "0"; skip !== null; ) {
    const path = `/webhooks/${webhookId}/deliveries?PageSize=200&PageToken.Skip=${skip}`;
    const page = Page.parse((await tenant.mustSend("GET", path)).body);
    found.push(...page.items);
    skip = page.nextPageToken;
  }
  const expected = ["Skipped", ...Array(members.length + 1).fill("Succeeded")];
  return found
    .filter(({ status }) => status !== "Duplicate")
    .flatMap(({ results }) =>
      differs("results", results.map(({ status }) => status).toSorted(), expected),
    );
};
