import { randomUUID } from "node:crypto";
import * as z from "zod";
import { toSessionPlace } from "../../../lib/executions/session/keys.ts";
import { TenantId } from "../../../lib/platform/db/tenant-id.ts";
import { appears, differs, type Scenario, unsuccessful, wrongEffects } from "../scenario.ts";
import { untilEnded } from "../waits.ts";
import type { TestTenant, World } from "../world.ts";
import { connect, createProvider, effectStep, takesId } from "./steps.ts";

const Started = z.looseObject({ executionId: z.string() });
const Session = z.looseObject({ status: z.string(), queuedCount: z.int(), turnCount: z.int() });
const Messages = z.object({
  items: z.array(z.looseObject({ role: z.string(), text: z.string().nullable() })),
});

const agent = "talker";
const says = { id: "say", type: "Prompt", prompt: "{% input.id %}" };
const llm = { providerId: "stand-in", parameters: { model: "priced" } };

/** Sessions with two concurrent executions and a later one, every request sent twice; some are deleted during an execution. */
export const sessions: Scenario = {
  name: "sessions",
  prepare: async (world) => {
    const tenant = await world.newTenant();
    await createProvider(world, tenant);
    await tenant.deployAgent(agent, {
      ...takesId,
      useSession: true,
      flow: connect([{ ...says, llm }, effectStep(world, "{% input.id %}")]),
    });
    const wrong: string[] = [];
    const names: string[] = [];
    const talked: { id: string; said: string[] }[] = [];
    const deleted: string[] = [];
    const runTurn = async (session: string, id: string): Promise<void> => {
      names.push(id);
      const request = {
        body: { input: { id }, session: { id: session } },
        headers: {
          "idempotency-key": randomUUID(),
          ...(names.length % 2 === 0 && { Prefer: "respond-async" }),
        },
      };
      const send = async () =>
        Started.parse((await tenant.mustSend("POST", `/agents/${agent}:execute`, request)).body);
      const [first, again] = [await send(), await send()];
      wrong.push(...differs(`repeated request of ${id}`, again.executionId, first.executionId));
      await appears(() => world.effects.counts.has(id));
    };
    return {
      tenantId: tenant.id,
      act: async (n) => {
        const [id, gone] = [`${tenant.id}-${n}`, `${tenant.id}-gone-${n}`];
        const said = ["a", "b", "c"].map((letter) => `${id}-${letter}`);
        talked.push({ id, said });
        const [first = "", second = "", third = ""] = said;
        await Promise.all([runTurn(id, first), runTurn(id, second)]);
        await runTurn(id, third);
        const running = runTurn(gone, gone);
        // A session that begins after its deletion is another one.
        if (await begins(tenant, gone)) {
          const path = `/agents/${agent}/sessions/${gone}`;
          const { status, text } = await tenant.send("DELETE", path);
          if (status !== 204 && status !== 404) wrong.push(`DELETE ${gone}: ${status} ${text}`);
          deleted.push(gone);
        }
        await running;
      },
      check: async () => {
        const { records, broken } = await untilEnded(world, tenant, { agents: [agent] });
        const turns = await Promise.all(talked.map((one) => wrongTurns(tenant, one)));
        // A session that was deleted after its turn ended has it until its purge, which a queue delays.
        await appears(async () => (await broughtBack(world, tenant, deleted)).length === 0);
        return [
          ...wrong,
          ...broken,
          ...(await unsuccessful(tenant, records.flat())),
          ...differs("executions", records.flat().length, names.length),
          ...turns.flat(),
          ...(await broughtBack(world, tenant, deleted)),
          ...wrongEffects(world, names),
        ];
      },
    };
  },
};

/** Waits until a session exists. Returns false if it did not in time, as after a kill. */
const begins = async (tenant: TestTenant, id: string): Promise<boolean> => {
  let hasBegun = false;
  await appears(async () => {
    hasBegun = (await tenant.send("GET", `/agents/${agent}/sessions/${id}`)).status === 200;
    return hasBegun;
  });
  return hasBegun;
};

/** Reports turns that a session does not have once, in the order of their requests, and a session that is not free. */
const wrongTurns = async (
  tenant: TestTenant,
  { id, said }: { id: string; said: readonly string[] },
): Promise<string[]> => {
  const path = `/agents/${agent}/sessions/${id}`;
  const session = Session.parse((await tenant.mustSend("GET", path)).body);
  const { items } = Messages.parse((await tenant.mustSend("GET", `${path}/messages`)).body);
  const found = items.flatMap(({ role, text }) => (role === "user" && text ? [text] : []));
  const { status, queuedCount, turnCount } = session;
  return [
    ...differs(`session ${id}`, [status, queuedCount, turnCount], ["Idle", 0, said.length]),
    ...differs(`turns of ${id}`, found.toSorted(), said),
    ...differs(`last turn of ${id}`, found.at(-1), said.at(-1)),
  ];
};

/** Lists the deleted sessions that exist, and turns that were added to them. */
const broughtBack = async (
  world: World,
  tenant: TestTenant,
  deleted: readonly string[],
): Promise<string[]> => {
  const items = await world.findItems(tenant.id);
  const found = await Promise.all(
    deleted.map(async (id) => {
      const { status } = await tenant.send("GET", `/agents/${agent}/sessions/${id}`);
      const { digest } = toSessionPlace(TenantId.parse(tenant.id), agent, id);
      const turns = items.filter(({ sk }) => new RegExp(`#?${digest}#.*TURN#`).test(String(sk)));
      return [
        ...differs(`GET of the deleted ${id}`, status, 404),
        ...turns.map(({ sk }) => `turn of the deleted ${id}: ${String(sk)}`),
      ];
    }),
  );
  return found.flat();
};
