import { monthOf } from "../../lib/agents/budget/month.ts";
import { getAgentAndSpend } from "../../lib/agents/budget/store.ts";
import { toBudget } from "../../lib/agents/budget/to-budget.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getBudget, async ({ ctx, params }) => {
  const now = ctx.clock();
  const found = await getAgentAndSpend(database(), ctx.tenant.id, params.agent, monthOf(now));
  if (!found) throw notFound("agent", params.agent);
  const { budget } = found.agent;
  if (!budget) throw notFound("budget of the agent", params.agent);
  return toBudget(params.agent, budget, { spent: found.spend.spent, now });
});
