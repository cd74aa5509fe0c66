import { endpoint } from "../../lib/edge/endpoint.ts";
import { authorizeDedicatedKey } from "../../lib/integrations/config/authorize-offer.ts";
import { database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { keySettings } from "../../lib/platform/runtime/env.ts";
import { rotateApiKey } from "../../lib/tenancy/api-key/rotate-api-key.ts";
import { toApiKey } from "../../lib/tenancy/api-key/to-api-key.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), prefix: keySettings().prefix, send });

export const handler = endpoint(rows.rotateApiKey, async ({ ctx, params, body }) => {
  const conditions = await authorizeDedicatedKey(database(), ctx, params.apiKey);
  const { item, key } = await rotateApiKey(deps(), { ctx, keyId: params.apiKey, body, conditions });
  return { ...toApiKey(item, item.lastUsedAt, ctx.clock()), key };
});
