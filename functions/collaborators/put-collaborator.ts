import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { putCollaborator } from "../../lib/tenancy/collaborator/put-collaborator.ts";
import { toCollaborator } from "../../lib/tenancy/collaborator/to-collaborator.ts";
import { withStatus } from "../../lib/tenancy/collaborator/with-status.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database() });

export const handler = endpoint(rows.putCollaborator, async ({ ctx, params, body }) => {
  const input = { agentId: params.agent, userId: params.user, body };
  const item = await putCollaborator(deps(), { ctx, ...input });
  const [shown = item] = await withStatus(database(), ctx.tenant.organizationId, [item]);
  return toCollaborator(shown);
});
