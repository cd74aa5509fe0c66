import { readResults } from "../../lib/evaluation/experiment/read-results.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listExperimentResults, ({ db, ctx, params, query }) => {
  const storage = { db, objects: objectStore() };
  const place = { tenantId: ctx.tenant.id, experimentId: params.experiment, now: ctx.clock() };
  return readResults(storage, { place, filters: query, page: toPageRequest(query) });
});
