import { removeScorer } from "../../lib/evaluation/scorer/store.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.deleteScorer, async ({ db, ctx, params }) => {
  const removed = await removeScorer(db, ctx.tenant.id, params.scorer);
  if (!removed) throw notFound("scorer", params.scorer);
  return undefined;
});
