import { removeBudget } from "../../lib/budget/store.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { notFound } from "../../lib/http/problems.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.deleteBudget, async ({ ctx, params }) => {
  if (!(await removeBudget(database(), ctx.tenant.id, params.agent)))
    throw notFound("agent", params.agent);
  return undefined;
});
