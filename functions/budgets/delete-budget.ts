import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { removeBudget } from "../../lib/spending/budget/store.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.deleteBudget, async ({ ctx, params }) => {
  const removed = await removeBudget(database(), ctx.tenant.id, params.agent);
  if (!removed) throw notFound("agent", params.agent);
  return undefined;
});
