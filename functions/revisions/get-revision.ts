import { database } from "../../lib/db/database.ts";
import { objectStore } from "../../lib/db/object-store.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { getRevision } from "../../lib/revision/get-revision.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), objects: objectStore() });

export const handler = endpoint(rows.getRevision, ({ ctx, params }) =>
  getRevision(deps(), ctx.tenant.id, params.agent, params.revision),
);
