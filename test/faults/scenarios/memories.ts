import { randomUUID } from "node:crypto";
import * as z from "zod";
import {
  appears,
  differs,
  type Scenario,
  settled,
  unsuccessful,
  wrongEffects,
} from "../scenario.ts";
import { untilEnded } from "../waits.ts";
import type { TestTenant } from "../world.ts";
import { connect, effectStep, takesId } from "./steps.ts";

const Started = z.looseObject({ executionId: z.string() });
const Facts = z.object({
  items: z.array(z.looseObject({ text: z.string(), executionId: z.string() })),
});
const Trace = z.object({
  spans: z.array(z.looseObject({ type: z.string(), startTime: z.int(), input: z.unknown() })),
});

const agent = "friend";

/** Turns and their facts: every request is sent twice, and some namespaces are deleted before a turn is remembered. */
export const memories: Scenario = {
  name: "memories",
  prepare: async (world) => {
    const tenant = await world.newTenant();
    const user = { name: "user", type: "String", required: true };
    const said = { name: "said", type: "String", required: true };
    await tenant.deployAgent(agent, {
      parametersMetadata: [...takesId.parametersMetadata, user, said],
      llmConfigs: [{ providerId: "echo", parameters: {} }],
      flow: connect([
        {
          id: "ask",
          type: "Prompt",
          prompt: "{% input.said %}",
          memory: { namespace: "{% input.user %}" },
        },
        effectStep(world, "{% input.id %}"),
      ]),
    });
    const wrong: string[] = [];
    const names: string[] = [];
    /** Facts by their namespace. */
    const known = new Map<string, string>();
    /** When the deletion of a namespace was requested, Unix milliseconds. */
    const deleted = new Map<string, number>();
    const remember = async (namespace: string, fact: string): Promise<void> => {
      const id = `${tenant.id}-memory-${namespace}`;
      names.push(id);
      const body = { input: { id, user: namespace, said: fact } };
      const request = { body, headers: { "idempotency-key": randomUUID() } };
      const send = async () =>
        Started.parse((await tenant.mustSend("POST", `/agents/${agent}:execute`, request)).body);
      const [first, again] = [await send(), await send()];
      wrong.push(...differs(`repeated request of ${id}`, again.executionId, first.executionId));
      await appears(() => world.effects.counts.has(id));
    };
    return {
      tenantId: tenant.id,
      act: async (n) => {
        const [kept, gone] = [`kept-${n}`, `gone-${n}`];
        const fact = `${randomUUID()} ${randomUUID()}`;
        known.set(kept, fact);
        await Promise.all([remember(kept, fact), remember(gone, randomUUID())]);
        deleted.set(gone, Date.now());
        await tenant.mustSend("DELETE", `/agents/${agent}/memories?namespace=${gone}`);
        await appears(async () => (await listFacts(tenant, kept)).length > 0);
      },
      check: async () => {
        const { records, broken } = await untilEnded(world, tenant, { agents: [agent] });
        const left = await settled(async () => [
          ...(await wrongFacts(tenant, known)),
          ...(await unpurged(world.findItems, tenant)),
        ]);
        return [
          ...wrong,
          ...broken,
          ...(await unsuccessful(tenant, records.flat())),
          ...differs("executions", records.flat().length, names.length),
          ...left,
          ...(await broughtBack(tenant, deleted)),
          ...wrongEffects(world, names),
        ];
      },
    };
  },
};

const listFacts = async (tenant: TestTenant, namespace: string) => {
  const path = `/agents/${agent}/memories?namespace=${namespace}`;
  return Facts.parse((await tenant.mustSend("GET", path)).body).items;
};

/** Reports facts that their namespaces do not have exactly once. */
const wrongFacts = async (
  tenant: TestTenant,
  known: ReadonlyMap<string, string>,
): Promise<string[]> => {
  const found = await Promise.all(
    [...known].map(async ([namespace, fact]) => {
      const texts = (await listFacts(tenant, namespace)).map(({ text }) => text);
      return differs(`facts of ${namespace}`, texts, [fact]);
    }),
  );
  return found.flat();
};

/** Lists deleted namespaces that still have facts. */
const unpurged = async (
  findItems: (text: string) => Promise<Record<string, unknown>[]>,
  tenant: TestTenant,
): Promise<string[]> =>
  (await findItems(tenant.id)).flatMap(({ sk }) =>
    String(sk).startsWith("DELETED#MEMORIES#") ? [`not purged: ${String(sk)}`] : [],
  );

/** Lists facts of turns that began before their namespace was deleted: only a turn that a crash repeated began later. */
const broughtBack = async (
  tenant: TestTenant,
  deleted: ReadonlyMap<string, number>,
): Promise<string[]> => {
  const found = await Promise.all(
    [...deleted].map(async ([namespace, deletedAt]) => {
      const facts = await listFacts(tenant, namespace);
      const early = await Promise.all(
        facts.map(async ({ executionId }) => {
          const path = `/agents/${agent}/execution-records/${executionId}/trace`;
          const { spans } = Trace.parse((await tenant.mustSend("GET", path)).body);
          const turn = spans.find(({ type }) => type === "Memory");
          return (turn?.startTime ?? 0) < deletedAt;
        }),
      );
      if (facts.length <= 1 && !early.includes(true)) return [];
      return [`the deleted ${namespace} has ${facts.length} facts`];
    }),
  );
  return found.flat();
};
