import type { Database } from "../../lib/platform/db/database.ts";
import { putCollaborator } from "../../lib/tenancy/collaborator/put-collaborator.ts";
import { toCollaborator } from "../../lib/tenancy/collaborator/to-collaborator.ts";
import { withStatus } from "../../lib/tenancy/collaborator/with-status.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db });

export const handler = endpoint(rows.putCollaborator, async ({ db, ctx, params, body }) => {
  const input = { agentId: params.agent, userId: params.user, body };
  const item = await putCollaborator(deps(db), { ctx, ...input });
  const [shown = item] = await withStatus(db, ctx.tenant.organizationId, [item]);
  return toCollaborator(shown);
});
