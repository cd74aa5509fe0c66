import { listExperiments } from "../../lib/evaluation/experiment/store.ts";
import { toExperiment } from "../../lib/evaluation/experiment/to-experiment.ts";
import { mapPage, toPageRequest } from "../../lib/platform/http/paging.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listExperiments, async ({ db, ctx, query }) =>
  mapPage(await listExperiments(db, ctx.tenant.id, toPageRequest(query)), toExperiment),
);
