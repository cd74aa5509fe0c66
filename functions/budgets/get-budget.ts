import { getAgent } from "../../lib/agents/agent/store.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { readMonthCost, toBudget } from "../../lib/spending/budget/check-budget.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getBudget, async ({ db, ctx, params }) => {
  const now = ctx.clock();
  const agent = await getAgent(db, ctx.tenant.id, params.agent);
  if (!agent) throw notFound("agent", params.agent);
  const { budget } = agent;
  if (!budget) throw notFound("budget of the agent", params.agent);
  const spent = await readMonthCost(db, ctx.tenant.id, agent, now);
  return toBudget(params.agent, budget, { spent, now });
});
