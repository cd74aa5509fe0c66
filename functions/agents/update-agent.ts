import { updateAgent as change } from "../../lib/agent/store.ts";
import { toAgent } from "../../lib/agent/to-agent.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { notFound } from "../../lib/http/problems.ts";
import { updateAgent } from "./routes.ts";

export const handler = endpoint(updateAgent, database, async ({ ctx, params, body }, db) => {
  const agent = await change(db, ctx.tenant.id, params.agent, { ...body, modifiedAt: ctx.clock() });
  if (!agent) throw notFound("agent", params.agent);
  return toAgent(agent);
});
