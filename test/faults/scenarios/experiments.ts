import * as z from "zod";
import {
  appears,
  differs,
  leftovers,
  recordsOf,
  type Scenario,
  settled,
  stillOpen,
  unsuccessful,
  wrongEffects,
  wrongUsage,
} from "../scenario.ts";
import type { TestTenant } from "../world.ts";
import { effectStep } from "./steps.ts";

const Experiment = z.looseObject({
  id: z.string(),
  status: z.string(),
  endedAt: z.int().nullable(),
  progress: z.object({ total: z.int().nullable(), completed: z.int(), failed: z.int() }),
});
const Detail = Experiment.extend({
  summary: z.array(z.looseObject({ mean: z.number().nullable(), count: z.int() })),
});
const Results = z.object({ items: z.array(z.looseObject({ executionId: z.string().nullable() })) });
const examples = ["one", "two", "three"];

/** Experiments of a few runs with an effect each: every run happens once, has one result and is counted once. */
export const experiments: Scenario = {
  name: "experiments",
  prepare: async (world) => {
    const tenant = await world.newTenant();
    await tenant.deployAgent("tested", {
      parametersMetadata: [{ name: "name", type: "String", required: true }],
      flow: {
        steps: [
          effectStep(world, `${tenant.id}-{% execution.id %}`),
          { id: "out", type: "Output", value: "{% input.name %}" },
        ],
        edges: [{ source: "effect", target: "out" }],
      },
    });
    await tenant.mustSend("POST", "/datasets", { body: { id: "d", displayName: "D" } });
    const items = examples.map((name) => ({ id: name, input: { name }, expected: name }));
    await tenant.mustSend("POST", "/datasets/d/examples", { body: { items } });
    const scorer = { id: "same", displayName: "Same", type: "Exact" };
    await tenant.mustSend("POST", "/scorers", { body: scorer });
    const ids: string[] = [];
    const read = async (id: string) =>
      Detail.parse((await tenant.mustSend("GET", `/experiments/${id}`)).body);
    return {
      tenantId: tenant.id,
      act: async () => {
        const body = {
          datasetId: "d",
          agentId: "tested",
          revisions: [1],
          scorers: ["same"],
          concurrency: 2,
        };
        const started = await tenant.mustSend("POST", "/experiments", { body });
        const { id } = Experiment.parse(started.body);
        ids.push(id);
        await appears(async () => (await read(id)).endedAt !== null);
      },
      check: async () => {
        const open = await settled(async () => [
          ...(await leftovers(world, tenant.id)),
          ...(await Promise.all(ids.map(read))).flatMap(({ id, endedAt }) =>
            endedAt === null ? [`open: experiment ${id}`] : [],
          ),
        ]);
        const records = await recordsOf(tenant, "tested");
        const names = records.map(({ id }) => `${tenant.id}-${id}`);
        return [
          ...open,
          ...stillOpen(records),
          ...(await unsuccessful(tenant, records)),
          ...differs("runs", records.length, ids.length * examples.length),
          ...(await wrongUsage(tenant, "tested", records)),
          ...wrongEffects(world, names),
          ...(await Promise.all(ids.map((id) => wrongExperiment(tenant, id)))).flat(),
        ];
      },
    };
  },
};

const wrongExperiment = async (tenant: TestTenant, id: string): Promise<string[]> => {
  const path = `/experiments/${id}`;
  const { status, progress, summary } = Detail.parse((await tenant.mustSend("GET", path)).body);
  const { items } = Results.parse((await tenant.mustSend("GET", `${path}/results`)).body);
  const count = examples.length;
  return [
    ...differs(`status of ${id}`, status, "Succeeded"),
    ...differs(`progress of ${id}`, progress, { total: count, completed: count, failed: 0 }),
    ...differs(
      `summary of ${id}`,
      summary.map((row) => [row.mean, row.count]),
      [[1, count]],
    ),
    ...differs(`results of ${id}`, new Set(items.map((each) => each.executionId)).size, count),
  ];
};
