import * as z from "zod";
import {
  appears,
  differs,
  type ExecutionRecord,
  leftovers,
  listRecords,
  type Scenario,
  settled,
  stillOpen,
  wrongEffects,
} from "../scenario.ts";
import { effectStep } from "./steps.ts";

const Scores = z.object({ items: z.array(z.looseObject({ name: z.string() })) });

/** Executions that an online evaluation scores with an agent: one score per execution. */
export const evaluations: Scenario = {
  name: "online evaluations",
  prepare: async (world) => {
    const tenant = await world.newTenant();
    const parametersMetadata = [{ name: "id", type: "String", required: true }];
    await tenant.deployAgent("scored", {
      parametersMetadata,
      flow: { steps: [{ id: "out", type: "Output", value: "{% input.id %}" }], edges: [] },
    });
    await tenant.deployAgent("rater", {
      parametersMetadata: [{ name: "output", type: "Json" }],
      flow: {
        steps: [
          effectStep(world, "{% input.output %}"),
          { id: "out", type: "Output", value: { value: 1 } },
        ],
        edges: [{ source: "effect", target: "out" }],
      },
    });
    const scorer = { id: "rated", displayName: "Rated", type: "Agent", agentId: "rater" };
    await tenant.mustSend("POST", "/scorers", { body: scorer });
    await tenant.mustSend("PUT", "/agents/scored/online-evaluation", {
      body: { scorers: ["rated"], sampleRate: 1, monthlyLimit: 100_000 },
    });
    const names: string[] = [];
    const listScores = async ({ id }: Pick<ExecutionRecord, "id">) => {
      const path = `/agents/scored/execution-records/${id}/scores`;
      return Scores.parse((await tenant.mustSend("GET", path)).body).items;
    };
    return {
      tenantId: tenant.id,
      act: async (n) => {
        const id = `${tenant.id}-scored-${n}`;
        await tenant.mustSend("POST", "/agents/scored:execute", { body: { input: { id } } });
        names.push(id);
        await appears(() => world.effects.counts.has(id));
      },
      check: async () => {
        const broken = await settled(async () => {
          const records = await listRecords(tenant, "scored");
          const scores = await Promise.all(records.map(listScores));
          return [
            ...(await leftovers(world, tenant.id)),
            ...stillOpen(records),
            ...records.flatMap(({ id }, at) =>
              scores[at]?.length === 1 ? [] : [`${id} has ${scores[at]?.length} scores`],
            ),
          ];
        });
        const records = await listRecords(tenant, "scored");
        return [
          ...broken,
          ...differs("scored executions", records.length, names.length),
          ...wrongEffects(world, names),
        ];
      },
    };
  },
};
