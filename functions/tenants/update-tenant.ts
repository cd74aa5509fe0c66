import { findUnknownGuardrails } from "../../lib/agents/guardrail/find-unknown-guardrails.ts";
import { checkEmbedding } from "../../lib/knowledge/asset/check-embedding.ts";
import { validationFailed } from "../../lib/platform/http/problems.ts";
import { updateTenant } from "../../lib/tenancy/tenant/update-tenant.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.updateTenant, async ({ db, ctx, body }) => {
  if (body.embedding) await checkEmbedding(db, ctx.tenant.id, body.embedding);
  const unknown = await findUnknownGuardrails(db, ctx.tenant.id, body.guardrails ?? []);
  if (unknown.length > 0) throw validationFailed(unknown);
  return updateTenant({ db }, { ctx, body });
});
