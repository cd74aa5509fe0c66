import { getAgent } from "../../lib/agents/agent/store.ts";
import { toAgent } from "../../lib/agents/agent/to-agent.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getAgent, async ({ ctx, params }) => {
  const agent = await getAgent(database(), ctx.tenant.id, params.agent);
  if (!agent) throw notFound("agent", params.agent);
  return toAgent(agent);
});
