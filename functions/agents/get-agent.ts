import { getAgent } from "../../lib/agents/agent/store.ts";
import { toAgent } from "../../lib/agents/agent/to-agent.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getAgent, async ({ db, ctx, params }) => {
  const agent = await getAgent(db, ctx.tenant.id, params.agent);
  if (!agent) throw notFound("agent", params.agent);
  return toAgent(agent);
});
