import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { toPageRequest } from "../../lib/http/paging.ts";
import { listLlmProviders } from "../../lib/provider/list-llm-providers.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listLlmProviders, ({ ctx, query }) =>
  listLlmProviders(database(), ctx.tenant.id, toPageRequest(query)),
);
