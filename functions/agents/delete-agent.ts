import { deleteAgent as remove } from "../../lib/agent/delete-agent.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { send } from "../../lib/queue/send.ts";
import { deleteAgent } from "./routes.ts";

const deps = () => ({ db: database(), send });

export const handler = endpoint(deleteAgent, deps, async ({ ctx, params }, deps) => {
  await remove(ctx.tenant.id, params.agent, deps);
  return undefined;
});
