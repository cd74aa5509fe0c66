import { mapPage, toPageRequest } from "../../lib/platform/http/paging.ts";
import { findLastUses } from "../../lib/tenancy/api-key/key-hash-store.ts";
import { listApiKeys, listLiveApiKeys } from "../../lib/tenancy/api-key/store.ts";
import { toApiKey } from "../../lib/tenancy/api-key/to-api-key.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listApiKeys, async ({ db, ctx, query }) => {
  const list = query.includeRevoked ? listApiKeys : listLiveApiKeys;
  const page = await list(db, ctx.principal.organizationId, toPageRequest(query));
  const lastUses = await findLastUses(db, page.items);
  return mapPage(page, (item) => toApiKey(item, lastUses.get(item.id) ?? 0, ctx.clock()));
});
