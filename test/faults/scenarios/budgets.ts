import { randomUUID } from "node:crypto";
import * as z from "zod";
import {
  differs,
  differsMuch,
  leftovers,
  listRecords,
  type Scenario,
  settled,
  sumFigure,
  wrongSpend,
  wrongUsage,
} from "../scenario.ts";
import { callsModel, costOfCall, createProvider } from "./steps.ts";

const Budget = z.looseObject({ currentMonthlyCost: z.number() });
const Cost = z.looseObject({ executionCount: z.int(), totalCost: z.number() });
const affordable = 4;
const amount = (affordable - 0.5) * costOfCall;

/** A budget of which each call is so little that it is reserved and counted in shards. */
const largeAmount = 1_000_000;

/** Executions of two agents with enforced budgets, one for four of them: their cost is counted once. */
export const budgets: Scenario = {
  name: "budgets",
  prepare: async (world) => {
    const tenant = await world.newTenant();
    await createProvider(world, tenant);
    for (const [agent, most] of [["spender", amount] as const, ["saver", largeAmount] as const]) {
      await tenant.deployAgent(agent, { flow: { steps: [callsModel], edges: [] } });
      await tenant.mustSend("PUT", `/agents/${agent}/budget`, {
        body: { amount: most, thresholdRules: [{ percent: 50 }], enforceLimit: true },
      });
    }
    const wrong: string[] = [];
    let succeeded = 0;
    return {
      tenantId: tenant.id,
      act: async (n) => {
        const execute = (agent: string) =>
          tenant.send("POST", `/agents/${agent}:execute`, {
            body: {},
            headers: { "idempotency-key": randomUUID() },
          });
        const [spent, saved] = await Promise.all([execute("spender"), execute("saver")]);
        if (saved.status >= 300) wrong.push(`saver ${n}: ${saved.status} ${saved.text}`);
        if (spent.status === 200 || spent.status === 202) succeeded += 1;
        else if (spent.status !== 402) wrong.push(`execution ${n}: ${spent.status} ${spent.text}`);
      },
      check: async () => {
        const open = await settled(() => leftovers(world, tenant.id));
        const records = await listRecords(tenant, "spender");
        const saved = await listRecords(tenant, "saver");
        const { currentMonthlyCost } = Budget.parse(
          (await tenant.mustSend("GET", "/agents/spender/budget")).body,
        );
        const cost = Cost.parse(
          (await tenant.mustSend("GET", "/agents/spender/revisions/1/cost")).body,
        );
        return [
          ...wrong,
          ...open,
          ...(succeeded > 0 ? [] : ["no execution succeeded"]),
          ...differs("executionCount", cost.executionCount, records.length),
          ...differsMuch("the month's cost", currentMonthlyCost, cost.totalCost),
          ...differsMuch("the revision's cost", cost.totalCost, sumFigure(records, "totalCost")),
          ...(await wrongUsage(tenant, "spender", records)),
          ...(await wrongUsage(tenant, "saver", saved)),
          ...(await wrongSpend(world, tenant.id, "spender", cost.totalCost)),
          ...(await wrongSpend(world, tenant.id, "saver", sumFigure(saved, "totalCost"))),
          ...(currentMonthlyCost <= amount + costOfCall
            ? []
            : [`overspent: ${currentMonthlyCost} of ${amount}`]),
        ];
      },
    };
  },
};
