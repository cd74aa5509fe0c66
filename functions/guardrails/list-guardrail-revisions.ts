import { getGuardrail, listGuardrailRevisions } from "../../lib/agents/guardrail/store.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listGuardrailRevisions, async ({ db, ctx, params, query }) => {
  const { id } = ctx.tenant;
  if (!(await getGuardrail(db, id, params.guardrail)))
    throw notFound("guardrail", params.guardrail);
  return listGuardrailRevisions(db, id, params.guardrail, toPageRequest(query));
});
