import { toDataset } from "../../lib/evaluation/dataset/dataset-item.ts";
import { listDatasets } from "../../lib/evaluation/dataset/store.ts";
import { mapPage, toPageRequest } from "../../lib/platform/http/paging.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listDatasets, async ({ db, ctx, query }) =>
  mapPage(await listDatasets(db, ctx.tenant.id, toPageRequest(query)), toDataset),
);
