import { generateApiKey as generate } from "../../lib/api-key/generate-api-key.ts";
import { toApiKey } from "../../lib/api-key/to-api-key.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { send } from "../../lib/queue/send.ts";
import { keySettings } from "../../lib/runtime/env.ts";
import { generateApiKey } from "./routes.ts";

const deps = () => ({ db: database(), prefix: keySettings().prefix, send });

export const handler = endpoint(generateApiKey, deps, async ({ ctx, body }, deps) => {
  const { item, key } = await generate({ ctx, input: body, deps });
  return { ...toApiKey(item, 0, ctx.clock()), key };
});
