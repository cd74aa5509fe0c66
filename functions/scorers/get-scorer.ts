import { getScorer } from "../../lib/evaluation/scorer/store.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getScorer, async ({ db, ctx, params }) => {
  const scorer = await getScorer(db, ctx.tenant.id, params.scorer);
  if (!scorer) throw notFound("scorer", params.scorer);
  return scorer;
});
