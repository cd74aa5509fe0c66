import { getRevision } from "../../lib/agents/revision/get-revision.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), objects: objectStore() });

export const handler = endpoint(rows.getRevision, ({ ctx, params }) =>
  getRevision(deps(), ctx.tenant.id, params.agent, params.revision),
);
