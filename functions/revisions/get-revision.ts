import { database } from "../../lib/db/database.ts";
import { objectStore } from "../../lib/db/object-store.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { getRevision as read } from "../../lib/revision/get-revision.ts";
import { getRevision } from "./routes.ts";

const deps = () => ({ db: database(), objects: objectStore() });

export const handler = endpoint(getRevision, deps, ({ ctx, params }, deps) =>
  read(deps, ctx.tenant.id, params.agent, params.revision),
);
