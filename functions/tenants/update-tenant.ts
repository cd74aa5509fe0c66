import { endpoint } from "../../lib/edge/endpoint.ts";
import { checkEmbedding } from "../../lib/knowledge/asset/check-embedding.ts";
import { updateTenant } from "../../lib/tenancy/tenant/update-tenant.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.updateTenant, async ({ db, ctx, body }) => {
  if (body.embedding) await checkEmbedding(db, ctx.tenant.id, body.embedding);
  return updateTenant({ db }, { ctx, body });
});
