import * as z from "zod";
import {
  appears,
  differs,
  differsMuch,
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
import { callsModel, createProvider, effectStep } from "./steps.ts";

const Experiment = z.looseObject({
  id: z.string(),
  status: z.string(),
  maxCost: z.number(),
  totalCost: z.number(),
  endedAt: z.int().nullable(),
  progress: z.object({ total: z.int().nullable(), completed: z.int(), failed: z.int() }),
});
const Detail = Experiment.extend({
  summary: z.array(z.looseObject({ mean: z.number().nullable(), count: z.int() })),
});
const Result = z.looseObject({ executionId: z.string().nullable(), cost: z.number() });
const Results = z.object({ items: z.array(Result) });
const examples = ["one", "two", "three"];
/** Enough for all runs, and for two at the highest cost of a call. */
const maxCosts = { all: 1, some: 0.0075 };
const asks = {
  ...callsModel,
  llm: { ...callsModel.llm, parameters: { ...callsModel.llm.parameters, maxOutputTokens: 3 } },
};

/**
 * Experiments of a few runs with one effect and one model call: every run happens once, has one
 * result and is counted once. Half of them end at their maxCost, which they do not exceed.
 */
export const experiments: Scenario = {
  name: "experiments",
  prepare: async (world) => {
    const tenant = await world.newTenant();
    await createProvider(world, tenant);
    await tenant.deployAgent("tested", {
      parametersMetadata: [{ name: "name", type: "String", required: true }],
      flow: {
        steps: [
          effectStep(world, `${tenant.id}-{% execution.id %}`),
          asks,
          { id: "out", type: "Output", value: "{% input.name %}" },
        ],
        edges: [
          { source: "effect", target: "ask" },
          { source: "ask", target: "out" },
        ],
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
      act: async (n) => {
        const body = {
          datasetId: "d",
          agentId: "tested",
          revisions: [1],
          scorers: ["same"],
          concurrency: 2,
          maxCost: n % 2 === 0 ? maxCosts.all : maxCosts.some,
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
        const records = await listRecords(tenant, "tested");
        const names = records.map(({ id }) => `${tenant.id}-${id}`);
        const found = await Promise.all(ids.map(read));
        const whole = found.filter(({ maxCost }) => maxCost === maxCosts.all).map(({ id }) => id);
        const runsOfWhole = records.filter(({ trigger }) => whole.includes(trigger.id));
        const completed = found.reduce((sum, { progress }) => sum + progress.completed, 0);
        return [
          ...open,
          ...stillOpen(records),
          ...(await unsuccessful(tenant, runsOfWhole)),
          ...differs("runs", records.length, completed),
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
  const experiment = Detail.parse((await tenant.mustSend("GET", path)).body);
  const { items } = Results.parse((await tenant.mustSend("GET", `${path}/results`)).body);
  const { status, progress, summary, maxCost, totalCost } = experiment;
  const count = examples.length;
  const spent = items.reduce((sum, { cost }) => sum + cost, 0);
  return [
    ...differsMuch(`cost of ${id}`, totalCost, spent),
    ...(totalCost > maxCost ? [`${id} cost ${totalCost} of ${maxCost}`] : []),
    ...differs(
      `results of ${id}`,
      new Set(items.map((item) => item.executionId)).size,
      items.length,
    ),
    ...differs(`runs of ${id}`, progress.completed, items.length),
    ...(maxCost === maxCosts.some
      ? differs(`status of ${id}`, status, "CostLimit")
      : [
          ...differs(`status of ${id}`, status, "Succeeded"),
          ...differs(`progress of ${id}`, progress, { total: count, completed: count, failed: 0 }),
          ...differs(
            `summary of ${id}`,
            summary.map((row) => [row.mean, row.count]),
            [[1, count]],
          ),
        ]),
  ];
};
