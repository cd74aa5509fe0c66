import type { Database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { keySettings } from "../../lib/platform/runtime/env.ts";
import { generateApiKey } from "../../lib/tenancy/api-key/generate-api-key.ts";
import { toApiKey } from "../../lib/tenancy/api-key/to-api-key.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, prefix: keySettings().prefix, send });

export const handler = endpoint(rows.generateApiKey, async ({ db, ctx, body }) => {
  const { item, key } = await generateApiKey(deps(db), { ctx, body });
  return { ...toApiKey(item, 0, ctx.clock()), key };
});
