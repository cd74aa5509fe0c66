import { endpoint } from "../../lib/edge/endpoint.ts";
import { readResults } from "../../lib/evaluation/experiment/read-results.ts";
import { database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listExperimentResults, ({ ctx, params, query }) => {
  const storage = { db: database(), objects: objectStore() };
  const place = { tenantId: ctx.tenant.id, experimentId: params.experiment };
  return readResults(storage, place, query, toPageRequest(query));
});
