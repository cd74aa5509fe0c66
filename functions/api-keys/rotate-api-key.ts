import { authorizeDedicatedKey } from "../../lib/integrations/config/authorize-offer.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { keySettings } from "../../lib/platform/runtime/env.ts";
import { rotateApiKey } from "../../lib/tenancy/api-key/rotate-api-key.ts";
import { toApiKey } from "../../lib/tenancy/api-key/to-api-key.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, prefix: keySettings().prefix, send });

export const handler = endpoint(rows.rotateApiKey, async ({ db, ctx, params, body }) => {
  const conditions = await authorizeDedicatedKey(db, ctx, params.apiKey);
  const { item, key } = await rotateApiKey(deps(db), {
    ctx,
    keyId: params.apiKey,
    body,
    conditions,
  });
  return { ...toApiKey(item, item.lastUsedAt, ctx.clock()), key };
});
