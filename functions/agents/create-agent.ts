import { createAgent } from "../../lib/agents/agent/create-agent.ts";
import { shareAvatar } from "../../lib/agents/agent/share-avatar.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, send });

export const handler = endpoint(rows.createAgent, async ({ db, ctx, body }) => {
  const agent = await createAgent(deps(db), { ctx, body });
  await shareAvatar(db, { ctx, agentId: agent.id, avatarFileId: agent.avatarFileId });
  return agent;
});
