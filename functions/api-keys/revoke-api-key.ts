import { revokeApiKey } from "../../lib/api-key/revoke-api-key.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { send } from "../../lib/queue/send.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), send });

export const handler = endpoint(rows.revokeApiKey, async ({ ctx, params }) => {
  await revokeApiKey({ ctx, input: { keyId: params.apiKey }, deps: deps() });
  return undefined;
});
