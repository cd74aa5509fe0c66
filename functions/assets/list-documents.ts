import { getAsset } from "../../lib/knowledge/asset/store.ts";
import { toDocument } from "../../lib/knowledge/document/schemas.ts";
import { listDocuments } from "../../lib/knowledge/document/store.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listDocuments, async ({ db, ctx, params, query }) => {
  const tenantId = ctx.tenant.id;
  const asset = await getAsset(db, tenantId, params.asset);
  if (!asset) throw notFound("asset", params.asset);
  const place = { tenantId, indexId: asset.indexId };
  const page = await listDocuments(db, place, toPageRequest(query));
  return { ...page, items: page.items.map(toDocument) };
});
