import { getGuardrailRevision } from "../../lib/agents/guardrail/store.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getGuardrailRevision, async ({ db, ctx, params }) => {
  const { guardrail, revision } = params;
  const found = await getGuardrailRevision(db, ctx.tenant.id, guardrail, revision);
  if (!found) throw notFound("revision", `${guardrail}/${revision}`);
  return found;
});
