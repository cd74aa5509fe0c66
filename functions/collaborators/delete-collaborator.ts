import type { Database } from "../../lib/platform/db/database.ts";
import { deleteCollaborator } from "../../lib/tenancy/collaborator/delete-collaborator.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db });

export const handler = endpoint(rows.deleteCollaborator, async ({ db, ctx, params }) => {
  await deleteCollaborator(deps(db), {
    ctx,
    agentId: params.agent,
    userId: params.user,
  });
  return undefined;
});
