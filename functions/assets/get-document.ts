import { getAsset } from "../../lib/knowledge/asset/store.ts";
import { toDocument } from "../../lib/knowledge/document/schemas.ts";
import { getDocument } from "../../lib/knowledge/document/store.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getDocument, async ({ db, ctx, params }) => {
  const tenantId = ctx.tenant.id;
  const asset = await getAsset(db, tenantId, params.asset);
  if (!asset) throw notFound("asset", params.asset);
  const place = { tenantId, indexId: asset.indexId };
  const document = await getDocument(db, place, params.document);
  if (!document) throw notFound("document", params.document);
  return toDocument(document);
});
