import { getAgent } from "../../lib/agents/agent/store.ts";
import { getRevisionItem } from "../../lib/agents/revision/store.ts";
import { readUsage, toRevisionCost } from "../../lib/spending/usage/read-usage.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getRevisionCost, async ({ db, ctx, params }) => {
  const { agent, revision } = params;
  const usages = await readUsage(
    { db, getAgent, getRevision: getRevisionItem },
    { tenantId: ctx.tenant.id, agentId: agent, revision, now: ctx.clock() },
  );
  return toRevisionCost(agent, revision === "*" ? 0 : revision, usages);
});
