import { revokeApiKey as revoke } from "../../lib/api-key/revoke-api-key.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { revokeApiKey } from "./routes.ts";

export const handler = endpoint(revokeApiKey, database, async ({ ctx, params }, db) => {
  await revoke({ ctx, input: { keyId: params.apiKey }, deps: { db } });
  return undefined;
});
