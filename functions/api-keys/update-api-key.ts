import { findLastUses } from "../../lib/api-key/store.ts";
import { toApiKey } from "../../lib/api-key/to-api-key.ts";
import { updateApiKey as change } from "../../lib/api-key/update-api-key.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { send } from "../../lib/queue/send.ts";
import { updateApiKey } from "./routes.ts";

const deps = () => ({ db: database(), send });

export const handler = endpoint(updateApiKey, deps, async ({ ctx, params, body }, deps) => {
  const item = await change({ ctx, input: { keyId: params.apiKey, body }, deps });
  const lastUses = await findLastUses(deps.db, [item]);
  return toApiKey(item, lastUses.get(item.id) ?? 0, ctx.clock());
});
