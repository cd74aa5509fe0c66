import { listGuardrails } from "../../lib/agents/guardrail/store.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listGuardrails, ({ db, ctx, query }) =>
  listGuardrails(db, ctx.tenant.id, toPageRequest(query)),
);
