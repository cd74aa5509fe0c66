import { generateApiKey } from "../../lib/api-key/generate-api-key.ts";
import { toApiKey } from "../../lib/api-key/to-api-key.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { send } from "../../lib/queue/send.ts";
import { keySettings } from "../../lib/runtime/env.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), prefix: keySettings().prefix, send });

export const handler = endpoint(rows.generateApiKey, async ({ ctx, body }) => {
  const { item, key } = await generateApiKey({ ctx, input: body, deps: deps() });
  return { ...toApiKey(item, 0, ctx.clock()), key };
});
