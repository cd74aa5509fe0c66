import { shareAvatar } from "../../lib/agents/agent/share-avatar.ts";
import { updateAgent } from "../../lib/agents/agent/store.ts";
import { toAgent } from "../../lib/agents/agent/to-agent.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.updateAgent, async ({ db, ctx, params, body }) => {
  const agent = await updateAgent(db, ctx.tenant.id, params.agent, {
    ...body,
    modifiedAt: ctx.clock(),
  });
  if (!agent) throw notFound("agent", params.agent);
  await shareAvatar(db, { ctx, agentId: agent.id, avatarFileId: body.avatarFileId });
  return toAgent(agent);
});
