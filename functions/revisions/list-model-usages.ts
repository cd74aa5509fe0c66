import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { readUsage } from "../../lib/execution/read-usage.ts";
import { toModelUsages } from "../../lib/execution/sum-usage.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listModelUsages, async ({ ctx, params }) => {
  const { agent, revision } = params;
  const counters = await readUsage(database(), ctx.tenant.id, agent, revision);
  return toModelUsages(revision === "*" ? 0 : revision, counters);
});
