import { getAgent } from "../../lib/agent/store.ts";
import { listCollaborators } from "../../lib/collaborator/store.ts";
import { toCollaborator } from "../../lib/collaborator/to-collaborator.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { notFound } from "../../lib/http/problems.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listCollaborators, async ({ ctx, params }) => {
  const db = database();
  const [agent, collaborators] = await Promise.all([
    getAgent(db, ctx.tenant.id, params.agent),
    listCollaborators(db, ctx.tenant.id, params.agent),
  ]);
  if (!agent) throw notFound("agent", params.agent);
  return collaborators.map(toCollaborator);
});
