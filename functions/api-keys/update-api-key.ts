import { findLastUses } from "../../lib/api-key/store.ts";
import { toApiKey } from "../../lib/api-key/to-api-key.ts";
import { updateApiKey as change } from "../../lib/api-key/update-api-key.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { updateApiKey } from "./routes.ts";

export const handler = endpoint(updateApiKey, database, async ({ ctx, params, body }, db) => {
  const item = await change({ ctx, input: { keyId: params.apiKey, body }, deps: { db } });
  const lastUses = await findLastUses(db, [item]);
  return toApiKey(item, lastUses.get(item.id) ?? 0, ctx.clock());
});
