import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { deleteCollaborator } from "../../lib/tenancy/collaborator/delete-collaborator.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database() });

export const handler = endpoint(rows.deleteCollaborator, async ({ ctx, params }) => {
  await deleteCollaborator(deps(), {
    tenantId: ctx.tenant.id,
    agentId: params.agent,
    userId: params.user,
  });
  return undefined;
});
