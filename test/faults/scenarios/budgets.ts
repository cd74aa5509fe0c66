import { randomUUID } from "node:crypto";
import * as z from "zod";
import {
  differs,
  differsMuch,
  leftovers,
  recordsOf,
  type Scenario,
  settled,
  sumOf,
} from "../scenario.ts";
import { callsModel, costOfCall, createProvider } from "./steps.ts";

const Budget = z.looseObject({ currentMonthlyCost: z.number() });
const Cost = z.looseObject({ executionCount: z.int(), totalCost: z.number() });
const affordable = 4;
const amount = (affordable - 0.5) * costOfCall;

/** Executions of an agent whose enforced budget is for four of them: what they cost is counted once. */
export const budgets: Scenario = {
  name: "budgets",
  prepare: async (world) => {
    const tenant = await world.newTenant();
    await createProvider(world, tenant);
    await tenant.deployAgent("spender", { flow: { steps: [callsModel], edges: [] } });
    await tenant.mustSend("PUT", "/agents/spender/budget", {
      body: {
        amount,
        thresholdRules: [{ percent: 50 }],
        enforceLimit: true,
      },
    });
    const wrong: string[] = [];
    let succeeded = 0;
    return {
      tenantId: tenant.id,
      act: async (n) => {
        const heard = await tenant.send("POST", "/agents/spender:execute", {
          body: {},
          headers: { "idempotency-key": randomUUID() },
        });
        if (heard.status === 200 || heard.status === 202) succeeded += 1;
        else if (heard.status !== 402) wrong.push(`execution ${n}: ${heard.status} ${heard.text}`);
      },
      check: async () => {
        const open = await settled(() => leftovers(world, tenant.id));
        const records = await recordsOf(tenant, "spender");
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
          ...differsMuch("the revision's cost", cost.totalCost, sumOf(records, "totalCost")),
          ...(currentMonthlyCost <= amount + costOfCall
            ? []
            : [`overspent: ${currentMonthlyCost} of ${amount}`]),
        ];
      },
    };
  },
};
