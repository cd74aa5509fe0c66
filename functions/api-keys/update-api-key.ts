import { send } from "../../lib/platform/queue/send.ts";
import { findLastUses } from "../../lib/tenancy/api-key/key-hash-store.ts";
import { toApiKey } from "../../lib/tenancy/api-key/to-api-key.ts";
import { updateApiKey } from "../../lib/tenancy/api-key/update-api-key.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.updateApiKey, async ({ db, ctx, params, body }) => {
  const item = await updateApiKey({ db, send }, { ctx, keyId: params.apiKey, body });
  const lastUses = await findLastUses(db, [item]);
  return toApiKey(item, lastUses.get(item.id) ?? 0, ctx.clock());
});
