import { appears, differs, type Scenario, unsuccessful, wrongEffects } from "../scenario.ts";
import { enforceBudgets, startWaiting, untilEnded } from "../waits.ts";
import { callsModel, connect, createProvider, effectStep, takesId } from "./steps.ts";

const wait = { type: "Wait", seconds: 1 };

/** Waits of a second, one after the other, also of two items of a ForEach, between model calls. */
export const shortWaits: Scenario = {
  name: "waits",
  prepare: async (world) => {
    const tenant = await world.newTenant();
    await createProvider(world, tenant);
    await tenant.deployAgent("pauser", {
      ...takesId,
      flow: connect([
        callsModel,
        { ...wait, id: "pause" },
        { id: "each", type: "ForEach", items: [1, 2], step: wait },
        effectStep(world, "{% input.id %}"),
        { ...callsModel, id: "again" },
      ]),
    });
    await enforceBudgets(tenant, ["pauser"]);
    const names: string[] = [];
    return {
      tenantId: tenant.id,
      act: async (n) => {
        const id = `${tenant.id}-pause-${n}`;
        names.push(id);
        await startWaiting(tenant, "pauser", { n, id });
        await appears(() => world.effects.counts.has(id));
      },
      check: async () => {
        const work = { agents: ["pauser"], budgeted: ["pauser"] };
        const { records, broken } = await untilEnded(world, tenant, work);
        return [
          ...broken,
          ...(await unsuccessful(tenant, records.flat())),
          ...differs("executions", records.flat().length, names.length),
          ...wrongEffects(world, names),
        ];
      },
    };
  },
};
