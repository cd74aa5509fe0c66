import { removeBudget } from "../../lib/budget/store.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { notFound } from "../../lib/http/problems.ts";
import { deleteBudget } from "./routes.ts";

export const handler = endpoint(deleteBudget, database, async ({ ctx, params }, db) => {
  if (!(await removeBudget(db, ctx.tenant.id, params.agent))) throw notFound("agent", params.agent);
  return undefined;
});
