import { presets, scopeEntries } from "../../lib/auth/scopes.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { listScopes } from "./routes.ts";

const catalog = {
  scopes: [...scopeEntries],
  presets: Object.entries(presets).map(([name, scopes]) => ({ name, scopes: [...scopes] })),
};

export const handler = endpoint(
  listScopes,
  () => undefined,
  async () => catalog,
);
