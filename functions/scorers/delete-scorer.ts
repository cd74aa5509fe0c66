import { endpoint } from "../../lib/edge/endpoint.ts";
import { removeScorer } from "../../lib/evaluation/scorer/store.ts";
import { database } from "../../lib/platform/db/database.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.deleteScorer, async ({ ctx, params }) => {
  const removed = await removeScorer(database(), ctx.tenant.id, params.scorer);
  if (!removed) throw notFound("scorer", params.scorer);
  return undefined;
});
