import { endpoint } from "../../lib/edge/endpoint.ts";
import { writeOnlineEvaluation } from "../../lib/evaluation/online/store.ts";
import { database } from "../../lib/platform/db/database.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.deleteOnlineEvaluation, async ({ ctx, params }) => {
  const { agent } = params;
  if (!(await writeOnlineEvaluation(database(), ctx.tenant.id, agent, null))) {
    throw notFound("agent", agent);
  }
  return undefined;
});
