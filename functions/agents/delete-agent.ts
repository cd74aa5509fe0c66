import { deleteAgent } from "../../lib/agent/delete-agent.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { send } from "../../lib/queue/send.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), send });

export const handler = endpoint(rows.deleteAgent, async ({ ctx, params }) => {
  await deleteAgent(ctx.tenant.id, params.agent, deps());
  return undefined;
});
