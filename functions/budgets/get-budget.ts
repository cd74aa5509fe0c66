import { monthOf } from "../../lib/agents/budget/month.ts";
import { readMonthCost } from "../../lib/agents/budget/read-spend.ts";
import { getAgentAndSpend } from "../../lib/agents/budget/store.ts";
import { toBudget } from "../../lib/agents/budget/to-budget.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getBudget, async ({ ctx, params }) => {
  const now = ctx.clock();
  const db = database();
  const found = await getAgentAndSpend(db, ctx.tenant.id, params.agent, monthOf(now));
  if (!found) throw notFound("agent", params.agent);
  const { budget } = found.agent;
  if (!budget) throw notFound("budget of the agent", params.agent);
  const spent = await readMonthCost(db, ctx.tenant.id, found.agent, { spend: found.spend, now });
  return toBudget(params.agent, budget, { spent, now });
});
