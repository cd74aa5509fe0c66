import * as z from "zod";
import { appears, differs, type Scenario, unsuccessful, wrongEffects } from "../scenario.ts";
import { readExecution, startWaiting, untilEnded, untilStatus } from "../waits.ts";
import type { TestTenant, World } from "../world.ts";
import { sendPushes, Webhook } from "./send-pushes.ts";
import { effectStep, takesId } from "./steps.ts";

const agent = "listener";
const Ended = z.object({ deliveryId: z.string(), payload: z.object({ n: z.int() }) });

/** Numbers of the pushes of a unit; nothing waits for `other`. */
const toNumbers = (n: number) => ({ early: 3 * n, other: 3 * n + 1, late: 3 * n + 2 });

/**
 * Waits for two deliveries of a webhook, which are sent twice: one that came before, which the lookback finds, and one
 * that comes after one that does not match. Each ends its wait, once.
 */
export const eventWaits: Scenario = {
  name: "waits for events",
  prepare: async (world) => {
    const tenant = await world.newTenant();
    const body = { provider: "github" };
    const webhook = Webhook.parse((await tenant.mustSend("POST", "/webhooks", { body })).body);
    await deployListener(world, tenant, webhook.id);
    const { deliver, wrong } = sendPushes(tenant, webhook);
    const deliverTwice = (n: number) => Promise.all([deliver(n), deliver(n)]);
    const started = new Map<string, { n: number; id: string }>();
    return {
      tenantId: tenant.id,
      act: async (n) => {
        const { early, other, late } = toNumbers(n);
        const id = `${tenant.id}-event-${n}`;
        await deliverTwice(early);
        const executionId = await startWaiting(tenant, agent, { n, id, early, late });
        started.set(executionId, { n, id });
        await untilStatus(tenant, { agent, id: executionId, status: "Waiting" });
        await deliver(other);
        await deliverTwice(late);
        await appears(() => world.effects.counts.has(id));
      },
      check: async () => {
        const { records, broken } = await untilEnded(world, tenant, { agents: [agent] });
        const all = records.flat();
        const outputs = await Promise.all(
          all.map(async ({ id }) => {
            const { early, late } = toNumbers(started.get(id)?.n ?? 0);
            const { output } = await readExecution(tenant, agent, id);
            const ends = z.array(Ended).safeParse(output).data;
            const expected = [early, late].map((n) => [`delivery-${n}`, n]);
            const found = ends?.map(({ deliveryId, payload }) => [deliveryId, payload.n]);
            return differs(`deliveries of ${id}`, found, expected);
          }),
        );
        return [
          ...wrong,
          ...broken,
          ...(await unsuccessful(tenant, all)),
          ...differs(
            "executions",
            all.map(({ id }) => id).toSorted(),
            [...started.keys()].toSorted(),
          ),
          ...outputs.flat(),
          ...(await listRegistered(world, tenant)),
          ...wrongEffects(
            world,
            [...started.values()].map(({ id }) => id),
          ),
        ];
      },
    };
  },
};

const deployListener = (world: World, tenant: TestTenant, webhookId: string): Promise<void> => {
  const names = ["early", "late"];
  const waits = names.map((id) => ({
    id,
    type: "Wait",
    event: { webhookId, match: `payload.n = input.${id}`, lookbackSeconds: 3_600 },
    timeoutSeconds: 7_200,
  }));
  const out = {
    id: "out",
    type: "Output",
    value: names.map((name) => `{% steps.${name}.output %}`),
  };
  const numbers = names.map((name) => ({ name, type: "Integer", required: true }));
  return tenant.deployAgent(agent, {
    parametersMetadata: [...takesId.parametersMetadata, ...numbers],
    flow: {
      steps: [...waits, effectStep(world, "{% input.id %}"), out],
      edges: [
        ...names.map((source) => ({ source, target: "effect" })),
        { source: "effect", target: "out" },
      ],
    },
  });
};

/** Lists the registrations of waits at webhooks, which are removed with their end. */
const listRegistered = async (world: World, tenant: TestTenant): Promise<string[]> =>
  (await world.findItems(tenant.id)).flatMap(({ pk, sk }) =>
    String(pk).endsWith("#WAITS") ? [`registered: ${String(sk)}`] : [],
  );
