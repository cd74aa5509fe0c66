import { createClient, unwrapBody } from "../../../client/index.ts";

const { WHARF_URL: baseUrl = "", WHARF_TENANT: tenant = "", WHARF_API_KEY = "" } = process.env;
const path = { tenant };

// A program has an API key.
const program = createClient({ baseUrl, credentials: () => ({ apiKey: WHARF_API_KEY }) });
const caller = await unwrapBody(
  program.GET("/v1/tenants/{tenant}/apiKeys/current", { params: { path } }),
);
console.log(caller.name);

// A user has a token. After a 401, `renew` gets a new one and the request is repeated once.
const readToken = () => ({ token: process.env.WHARF_TOKEN ?? "" });
const user = createClient({
  baseUrl,
  credentials: readToken,
  renew: async () => readToken(),
});
const created = await unwrapBody(
  user.POST("/v1/tenants/{tenant}/apiKeys:generate", {
    params: { path },
    body: { name: "Nightly import", preset: "Read-only" },
  }),
);
const key: string = created.key;
console.log(key);
