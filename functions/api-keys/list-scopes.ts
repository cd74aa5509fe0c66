import { presets, scopeEntries } from "../../lib/platform/auth/scopes.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const catalog = {
  scopes: [...scopeEntries],
  presets: Object.entries(presets).map(([name, scopes]) => ({ name, scopes: [...scopes] })),
};

export const handler = endpoint(rows.listScopes, async () => catalog);
