import { rotateApiKey } from "../../lib/api-key/rotate-api-key.ts";
import { toApiKey } from "../../lib/api-key/to-api-key.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { authorizeDedicatedKey } from "../../lib/integration-config/authorize-offer.ts";
import { send } from "../../lib/queue/send.ts";
import { keySettings } from "../../lib/runtime/env.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), prefix: keySettings().prefix, send });

export const handler = endpoint(rows.rotateApiKey, async ({ ctx, params, body }) => {
  await authorizeDedicatedKey(database(), ctx, params.apiKey);
  const { item, key } = await rotateApiKey({
    ctx,
    input: { keyId: params.apiKey, body },
    deps: deps(),
  });
  return { ...toApiKey(item, item.lastUsedAt, ctx.clock()), key };
});
