import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { toPageRequest } from "../../lib/http/paging.ts";
import { listLlmProviders as list } from "../../lib/provider/list-llm-providers.ts";
import { listLlmProviders } from "./routes.ts";

export const handler = endpoint(listLlmProviders, database, ({ ctx, query }, db) =>
  list(db, ctx.tenant.id, toPageRequest(query)),
);
