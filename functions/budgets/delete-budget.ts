import { notFound } from "../../lib/platform/http/problems.ts";
import { removeBudget } from "../../lib/spending/budget/store.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.deleteBudget, async ({ db, ctx, params }) => {
  const removed = await removeBudget(db, ctx.tenant.id, params.agent);
  if (!removed) throw notFound("agent", params.agent);
  return undefined;
});
