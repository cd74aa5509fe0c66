import { listExamples } from "../../lib/evaluation/dataset/read-examples.ts";
import { requireVersion } from "../../lib/evaluation/dataset/require-version.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, objects: objectStore() });

export const handler = endpoint(rows.listExamples, async ({ db, ctx, params, query }) => {
  const { version, split } = query;
  const pinned = await requireVersion(db, ctx.tenant.id, params.dataset, version);
  return listExamples(deps(db), {
    tenantId: ctx.tenant.id,
    pinned,
    split,
    page: toPageRequest(query),
  });
});
