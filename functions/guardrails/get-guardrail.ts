import { getGuardrail } from "../../lib/agents/guardrail/store.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getGuardrail, async ({ db, ctx, params }) => {
  const guardrail = await getGuardrail(db, ctx.tenant.id, params.guardrail);
  if (!guardrail) throw notFound("guardrail", params.guardrail);
  return guardrail;
});
