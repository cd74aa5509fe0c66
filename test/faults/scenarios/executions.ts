import { randomBytes, randomUUID } from "node:crypto";
import * as z from "zod";
import {
  differs,
  differsMuch,
  leftovers,
  listRecords,
  type Scenario,
  settled,
  stillOpen,
  sumFigure,
  unsuccessful,
  wrongEffects,
  wrongParts,
  wrongUsage,
} from "../scenario.ts";
import { callsModel, costOfCall, createProvider, effectStep } from "./steps.ts";

const modes: readonly Record<string, string>[] = [
  {},
  { Prefer: "wait=1" },
  { Prefer: "respond-async" },
  { Accept: "text/event-stream" },
];
const Cost = z.looseObject({ executionCount: z.int(), totalCost: z.number() });
const Usages = z.array(z.looseObject({ executionCount: z.int(), inputTokens: z.int() }));
/** Random bytes of inputs and outputs that are stored in the bucket, and in an item of their own; by unit. */
const selectSize = (n: number): number => ({ 2: 540_000, 4: 2_500, 7: 2_500 })[n % 8] ?? 0;

/** `:execute` in every mode, with one effect and one model call per execution. */
export const executions: Scenario = {
  name: ":execute",
  prepare: async (world) => {
    const tenant = await world.newTenant();
    await createProvider(world, tenant);
    await tenant.deployAgent("worker", {
      parametersMetadata: [
        { name: "id", type: "String", required: true },
        { name: "text", type: "String" },
      ],
      flow: {
        steps: [
          effectStep(world, "{% input.id %}"),
          callsModel,
          { id: "out", type: "Output", value: "{% input.text %}" },
        ],
        edges: [
          { source: "effect", target: "ask" },
          { source: "ask", target: "out" },
        ],
      },
    });
    const names: string[] = [];
    const ids = new Set<string>();
    const wrong: string[] = [];
    return {
      tenantId: tenant.id,
      act: async (n) => {
        const id = `${tenant.id}-execution-${n}`;
        const input = { id, text: randomBytes(selectSize(n)).toString("base64") };
        names.push(id);
        const response = await tenant.send("POST", "/agents/worker:execute", {
          body: { input },
          headers: { "idempotency-key": randomUUID(), ...modes[n % modes.length] },
        });
        const executionId = /"executionId":"([0-9a-f-]{36})"/.exec(response.text)?.[1];
        if (response.status >= 300 || !executionId || response.text.includes("execution.failed")) {
          wrong.push(`execution ${n}: ${response.status} ${response.text.slice(0, 300)}`);
        } else ids.add(executionId);
      },
      check: async () => {
        const open = await settled(async () => {
          const records = await listRecords(tenant, "worker");
          return [...(await leftovers(world, tenant.id)), ...stillOpen(records)];
        });
        const records = await listRecords(tenant, "worker");
        const count = names.length;
        const cost = Cost.parse(
          (await tenant.mustSend("GET", "/agents/worker/revisions/1/cost")).body,
        );
        const usages = Usages.parse(
          (await tenant.mustSend("GET", "/agents/worker/revisions/*/model-usages")).body,
        );
        return [
          ...wrong,
          ...open,
          ...differs(
            "ids of executions",
            records.map(({ id }) => id).toSorted(),
            [...ids].toSorted(),
          ),
          ...(await unsuccessful(tenant, records)),
          ...differs("executionCount of the revision", cost.executionCount, count),
          ...differs(
            "executionCount of the model",
            usages.map((usage) => usage.executionCount),
            [count],
          ),
          ...differsMuch("cost", cost.totalCost, sumFigure(records, "totalCost")),
          ...differsMuch(
            "input tokens",
            usages.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
            sumFigure(records, "inputTokens"),
          ),
          // A run that continues after a kill may call the model again, and counts both calls.
          ...(cost.totalCost >= count * costOfCall - 1e-6 &&
          (cost.totalCost <= count * costOfCall + 1e-6 || world.product.kills() > 0)
            ? []
            : [`cost ${cost.totalCost}, expected ${count * costOfCall}`]),
          ...(await wrongUsage(tenant, "worker", records)),
          ...(await wrongParts(world, tenant.id)),
          ...wrongEffects(world, names),
        ];
      },
    };
  },
};
