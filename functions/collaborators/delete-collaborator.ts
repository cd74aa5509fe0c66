import { deleteCollaborator as remove } from "../../lib/collaborator/delete-collaborator.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { deleteCollaborator } from "./routes.ts";

const deps = () => ({ db: database() });

export const handler = endpoint(deleteCollaborator, deps, async ({ ctx, params }, deps) => {
  await remove(ctx.tenant.id, { agentId: params.agent, userId: params.user }, deps);
  return undefined;
});
