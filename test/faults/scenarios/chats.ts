import * as z from "zod";
import {
  appears,
  differs,
  leftovers,
  listRecords,
  type Scenario,
  settled,
  wrongEffects,
  wrongUsage,
} from "../scenario.ts";
import { effectStep } from "./steps.ts";

const Connector = z.looseObject({ id: z.string() });
const Issued = z.looseObject({ key: z.string().nullable() });
const conversations = 3;

/**
 * Messages of a generic connector. The provider sends them twice, and replies keep the order of
 * acceptance.
 */
export const chats: Scenario = {
  name: "chats",
  prepare: async (world) => {
    const tenant = await world.newTenant();
    await tenant.deployAgent("bot", {
      parametersMetadata: [{ name: "message", type: "String" }],
      flow: {
        steps: [
          effectStep(world, "work-{% input.message %}"),
          { id: "say", type: "Output", value: "{% input.message %}" },
        ],
        edges: [{ source: "effect", target: "say" }],
      },
    });
    const body = { provider: "generic", parameters: { replyUrl: `${world.effects.url}/replies` } };
    const created = await tenant.mustSend("POST", "/agents/bot/connectors", { body });
    const connector = Connector.parse(created.body);
    const mint = async (): Promise<string> => {
      const scopes = ["inbound:deliver"];
      const minted = await tenant.mustSend("POST", "/apiKeys:generate", {
        body: { name: "chats", scopes },
      });
      return Issued.parse(minted.body).key ?? mint();
    };
    const key = await mint();
    const names: string[] = [];
    const wrong: string[] = [];
    const sent: { n: number; startedAt: number; acceptedAt: number }[] = [];
    return {
      tenantId: tenant.id,
      act: async (n) => {
        const text = `${tenant.id}-message-${n}`;
        names.push(text);
        const message = {
          id: `m-${n}`,
          user: { id: "u-1", name: "Ada" },
          conversation: { id: `c-${n % conversations}` },
          text,
        };
        const sendMessage = () =>
          tenant.send("POST", `/connectors/generic/${connector.id}/${key}`, { body: message });
        const startedAt = performance.now();
        const both = await Promise.all([sendMessage(), sendMessage()]);
        sent.push({ n, startedAt, acceptedAt: performance.now() });
        for (const response of both) {
          if (response.status >= 300)
            wrong.push(`message ${n}: ${response.status} ${response.text.slice(0, 300)}`);
        }
        await appears(() => world.effects.counts.has(text));
      },
      check: async () => {
        const broken = await settled(async () => [
          ...(await leftovers(world, tenant.id)),
          ...names.filter((name) => !world.effects.counts.has(name)).map((name) => `lost: ${name}`),
        ]);
        const records = await listRecords(tenant, "bot");
        const replies = [...world.effects.counts.keys()];
        return [
          ...wrong,
          ...broken,
          ...differs("executions of the bot", records.length, names.length),
          ...(await wrongUsage(tenant, "bot", records)),
          ...wrongEffects(world, names),
          ...overtakings(sent, (n) => replies.indexOf(`${tenant.id}-message-${n}`)),
        ];
      },
    };
  },
};

type Sent = { n: number; startedAt: number; acceptedAt: number };

/** Reports replies that were sent before the reply to an earlier message of their conversation. */
const overtakings = (sent: readonly Sent[], findPlace: (n: number) => number): string[] =>
  sent.flatMap((later) =>
    sent
      .filter(({ n }) => n !== later.n && n % conversations === later.n % conversations)
      .filter(({ acceptedAt }) => acceptedAt < later.startedAt)
      .flatMap(({ n }) =>
        findPlace(n) < findPlace(later.n) ? [] : [`message ${later.n} overtook message ${n}`],
      ),
  );
