import { getAgent as readAgent } from "../../lib/agent/store.ts";
import { toAgent } from "../../lib/agent/to-agent.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { notFound } from "../../lib/http/problems.ts";
import { getAgent } from "./routes.ts";

export const handler = endpoint(getAgent, database, async ({ ctx, params }, db) => {
  const agent = await readAgent(db, ctx.tenant.id, params.agent);
  if (!agent) throw notFound("agent", params.agent);
  return toAgent(agent);
});
