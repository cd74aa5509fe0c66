import { getAgent } from "../../lib/agent/store.ts";
import { listCollaborators as readCollaborators } from "../../lib/collaborator/store.ts";
import { toCollaborator } from "../../lib/collaborator/to-collaborator.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { notFound } from "../../lib/http/problems.ts";
import { listCollaborators } from "./routes.ts";

export const handler = endpoint(listCollaborators, database, async ({ ctx, params }, db) => {
  const [agent, collaborators] = await Promise.all([
    getAgent(db, ctx.tenant.id, params.agent),
    readCollaborators(db, ctx.tenant.id, params.agent),
  ]);
  if (!agent) throw notFound("agent", params.agent);
  return collaborators.map(toCollaborator);
});
