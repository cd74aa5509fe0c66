import type { Database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { revokeApiKey } from "../../lib/tenancy/api-key/revoke-api-key.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, send });

export const handler = endpoint(rows.revokeApiKey, async ({ db, ctx, params }) => {
  await revokeApiKey(deps(db), { ctx, keyId: params.apiKey });
  return undefined;
});
