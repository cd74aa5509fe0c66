import { getAgent } from "../../lib/agents/agent/store.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { listCollaborators } from "../../lib/tenancy/collaborator/store.ts";
import { toCollaborator } from "../../lib/tenancy/collaborator/to-collaborator.ts";
import { withStatus } from "../../lib/tenancy/collaborator/with-status.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listCollaborators, async ({ db, ctx, params }) => {
  const [agent, collaborators] = await Promise.all([
    getAgent(db, ctx.tenant.id, params.agent),
    listCollaborators(db, ctx.tenant.id, params.agent),
  ]);
  if (!agent) throw notFound("agent", params.agent);
  const shown = await withStatus(db, ctx.tenant.organizationId, collaborators);
  return shown.map(toCollaborator);
});
