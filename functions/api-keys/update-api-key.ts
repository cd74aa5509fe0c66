import { findLastUses } from "../../lib/api-key/store.ts";
import { toApiKey } from "../../lib/api-key/to-api-key.ts";
import { updateApiKey } from "../../lib/api-key/update-api-key.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { send } from "../../lib/queue/send.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.updateApiKey, async ({ ctx, params, body }) => {
  const db = database();
  const item = await updateApiKey({
    ctx,
    input: { keyId: params.apiKey, body },
    deps: { db, send },
  });
  const lastUses = await findLastUses(db, [item]);
  return toApiKey(item, lastUses.get(item.id) ?? 0, ctx.clock());
});
