import { toPageRequest } from "../../lib/platform/http/paging.ts";
import { listLlmProviders } from "../../lib/tenancy/llm-provider/list-llm-providers.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listLlmProviders, ({ db, ctx, query }) =>
  listLlmProviders(db, ctx.tenant.id, toPageRequest(query)),
);
