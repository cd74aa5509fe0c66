import { writeOnlineEvaluation } from "../../lib/evaluation/online/store.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.deleteOnlineEvaluation, async ({ db, ctx, params }) => {
  const { agent } = params;
  if (!(await writeOnlineEvaluation(db, ctx.tenant.id, agent, null))) {
    throw notFound("agent", agent);
  }
  return undefined;
});
