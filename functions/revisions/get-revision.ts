import { getRevision } from "../../lib/agents/revision/get-revision.ts";
import { withReadyAssets } from "../../lib/agents/revision/with-ready-assets.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, objects: objectStore() });

export const handler = endpoint(rows.getRevision, async ({ db, ctx, params }) => {
  const tenantId = ctx.tenant.id;
  const revision = await getRevision(deps(db), {
    tenantId,
    agentId: params.agent,
    revision: params.revision,
  });
  return withReadyAssets(db, tenantId, revision);
});
