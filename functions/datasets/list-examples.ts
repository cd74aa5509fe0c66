import { endpoint } from "../../lib/edge/endpoint.ts";
import { pinVersion } from "../../lib/evaluation/dataset/dataset-item.ts";
import { listExamples } from "../../lib/evaluation/dataset/read-examples.ts";
import { getDataset } from "../../lib/evaluation/dataset/store.ts";
import { database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), objects: objectStore() });

export const handler = endpoint(rows.listExamples, async ({ ctx, params, query }) => {
  const dataset = await getDataset(database(), ctx.tenant.id, params.dataset);
  if (!dataset) throw notFound("dataset", params.dataset);
  const { version, split } = query;
  const pinned = pinVersion(dataset, version);
  if (!pinned) throw notFound(`version of the dataset "${dataset.id}"`, String(version));
  return listExamples(deps(), ctx.tenant.id, pinned, { split, page: toPageRequest(query) });
});
