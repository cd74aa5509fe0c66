import { deleteAgent } from "../../lib/agents/agent/delete-agent.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, send });

export const handler = endpoint(rows.deleteAgent, async ({ db, ctx, params }) => {
  await deleteAgent(deps(db), { tenantId: ctx.tenant.id, agentId: params.agent });
  return undefined;
});
