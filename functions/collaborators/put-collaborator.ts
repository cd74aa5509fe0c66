import { putCollaborator as put } from "../../lib/collaborator/put-collaborator.ts";
import { toCollaborator } from "../../lib/collaborator/to-collaborator.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { putCollaborator } from "./routes.ts";

const deps = () => ({ db: database() });

export const handler = endpoint(putCollaborator, deps, async ({ ctx, params, body }, deps) => {
  const input = { agentId: params.agent, userId: params.user, body };
  return toCollaborator(await put({ ctx, input, deps }));
});
