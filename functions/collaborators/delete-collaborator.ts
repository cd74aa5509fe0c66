import { deleteCollaborator } from "../../lib/collaborator/delete-collaborator.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database() });

export const handler = endpoint(rows.deleteCollaborator, async ({ ctx, params }) => {
  await deleteCollaborator(ctx.tenant.id, { agentId: params.agent, userId: params.user }, deps());
  return undefined;
});
