import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { readUsage } from "../../lib/execution/read-usage.ts";
import { toRevisionCost } from "../../lib/execution/sum-usage.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getRevisionCost, async ({ ctx, params }) => {
  const { agent, revision } = params;
  const counters = await readUsage(database(), ctx.tenant.id, agent, revision);
  return toRevisionCost(agent, revision === "*" ? 0 : revision, counters);
});
