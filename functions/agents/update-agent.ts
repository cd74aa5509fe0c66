import { updateAgent } from "../../lib/agent/store.ts";
import { toAgent } from "../../lib/agent/to-agent.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { notFound } from "../../lib/http/problems.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.updateAgent, async ({ ctx, params, body }) => {
  const agent = await updateAgent(database(), ctx.tenant.id, params.agent, {
    ...body,
    modifiedAt: ctx.clock(),
  });
  if (!agent) throw notFound("agent", params.agent);
  return toAgent(agent);
});
