import { unauthenticated } from "../../lib/platform/http/problems.ts";
import { toIsoTime } from "../../lib/tenancy/api-key/to-api-key.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getCurrentApiKey, async ({ ctx }) => {
  const { id, scopes, apiKey } = ctx.principal;
  if (!apiKey) throw unauthenticated();
  const { name, lastUsedAt, expiresAt } = apiKey;
  return { id, name, scopes: [...scopes], lastUsedAt, expiresAt: toIsoTime(expiresAt) };
});
