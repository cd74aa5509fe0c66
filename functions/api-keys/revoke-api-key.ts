import { revokeApiKey as revoke } from "../../lib/api-key/revoke-api-key.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { send } from "../../lib/queue/send.ts";
import { revokeApiKey } from "./routes.ts";

const deps = () => ({ db: database(), send });

export const handler = endpoint(revokeApiKey, deps, async ({ ctx, params }, deps) => {
  await revoke({ ctx, input: { keyId: params.apiKey }, deps });
  return undefined;
});
