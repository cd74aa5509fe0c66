import { differs, type Scenario, unsuccessful } from "../scenario.ts";
import {
  readExecution,
  startWaiting,
  untilEnded,
  untilFound,
  untilStatus,
  wrongRace,
} from "../waits.ts";
import { connect, effectStep, takesId } from "./steps.ts";

const agents = ["early", "late"] as const;
const bodies = ["one", "two"] as const;

/**
 * Callbacks that get two requests at the same moment, before their step is reached and after: one is accepted, and is the
 * output of the step.
 */
export const callbacks: Scenario = {
  name: "callbacks",
  prepare: async (world) => {
    const tenant = await world.newTenant();
    const send = effectStep(world, "{% input.id %}");
    const sendAway = { ...send, parameters: { ...send.parameters, body: "{% callbacks.done %}" } };
    const done = { id: "done", type: "Wait", callback: true };
    for (const agent of agents) {
      const pause = agent === "early" ? [{ id: "pause", type: "Wait", seconds: 1 }] : [];
      await tenant.deployAgent(agent, { ...takesId, flow: connect([sendAway, ...pause, done]) });
    }
    const wrong: string[] = [];
    /** The accepted bodies by execution; undefined where no request is known to be accepted. */
    const started = new Map<string, string | undefined>();
    const answer = async (agent: (typeof agents)[number], n: number): Promise<void> => {
      const id = `${tenant.id}-${agent}-${n}`;
      const executionId = await startWaiting(tenant, agent, { n: n + 1, id });
      started.set(executionId, undefined);
      const address = await untilFound(`address of ${id}`, async () =>
        world.effects.bodies.get(id),
      );
      if (agent === "late")
        await untilStatus(tenant, { agent, id: executionId, status: "Waiting" });
      const [, path] = address.split(tenant.base);
      const responses = await Promise.all(
        bodies.map((body) => tenant.send("POST", path ?? "", { body })),
      );
      wrong.push(...wrongRace(`callback of ${id}`, responses));
      started.set(executionId, bodies[responses.findIndex(({ status }) => status === 204)]);
    };
    return {
      tenantId: tenant.id,
      act: async (n) => {
        await Promise.all(agents.map((agent) => answer(agent, n)));
      },
      check: async () => {
        const { records, broken } = await untilEnded(world, tenant, { agents });
        const all = records.flat();
        const outputs = await Promise.all(
          all.map(async ({ id, agentId }) => {
            const { output } = await readExecution(tenant, agentId, id);
            const known = started.get(id);
            const isRight =
              known === undefined ? bodies.some((body) => body === output) : output === known;
            return isRight
              ? []
              : [`output of ${id} is ${JSON.stringify(output)}, expected ${known}`];
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
        ];
      },
    };
  },
};
