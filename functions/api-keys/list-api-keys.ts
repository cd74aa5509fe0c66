import { findLastUses, listApiKeys as listAll, listLiveApiKeys } from "../../lib/api-key/store.ts";
import { toApiKey } from "../../lib/api-key/to-api-key.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { mapPage, toPageRequest } from "../../lib/http/paging.ts";
import { listApiKeys } from "./routes.ts";

export const handler = endpoint(listApiKeys, database, async ({ ctx, query }, db) => {
  const list = query.includeRevoked ? listAll : listLiveApiKeys;
  const page = await list(db, ctx.principal.organizationId, toPageRequest(query));
  const lastUses = await findLastUses(db, page.items);
  return mapPage(page, (item) => toApiKey(item, lastUses.get(item.id) ?? 0, ctx.clock()));
});
