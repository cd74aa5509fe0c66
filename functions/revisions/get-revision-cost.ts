import { database } from "../../lib/db/database.ts";
import { readUsage } from "../../lib/execution/read-usage.ts";
import { toRevisionCost } from "../../lib/execution/sum-usage.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { getRevisionCost } from "./routes.ts";

export const handler = endpoint(getRevisionCost, database, async ({ ctx, params }, db) => {
  const { agent, revision } = params;
  const counters = await readUsage(db, ctx.tenant.id, agent, revision);
  return toRevisionCost(agent, revision === "*" ? 0 : revision, counters);
});
