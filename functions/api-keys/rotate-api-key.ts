import { rotateApiKey as rotate } from "../../lib/api-key/rotate-api-key.ts";
import { toApiKey } from "../../lib/api-key/to-api-key.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { send } from "../../lib/queue/send.ts";
import { keySettings } from "../../lib/runtime/env.ts";
import { rotateApiKey } from "./routes.ts";

const deps = () => ({ db: database(), prefix: keySettings().prefix, send });

export const handler = endpoint(rotateApiKey, deps, async ({ ctx, params, body }, deps) => {
  const { item, key } = await rotate({ ctx, input: { keyId: params.apiKey, body }, deps });
  return { ...toApiKey(item, item.lastUsedAt, ctx.clock()), key };
});
