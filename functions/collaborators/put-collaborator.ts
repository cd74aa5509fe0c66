import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { putCollaborator } from "../../lib/tenancy/collaborator/put-collaborator.ts";
import { toCollaborator } from "../../lib/tenancy/collaborator/to-collaborator.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database() });

export const handler = endpoint(rows.putCollaborator, async ({ ctx, params, body }) => {
  const input = { agentId: params.agent, userId: params.user, body };
  return toCollaborator(await putCollaborator({ ctx, input, deps: deps() }));
});
