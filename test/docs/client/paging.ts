import { createClient, iterateItems, unwrapBody } from "../../../client/index.ts";

const { WHARF_URL: baseUrl = "", WHARF_TENANT: tenant = "" } = process.env;
const token = process.env.WHARF_TOKEN ?? "";
const client = createClient({ baseUrl, credentials: () => ({ token }) });

const agents = iterateItems((query) =>
  unwrapBody(client.GET("/v1/tenants/{tenant}/agents", { params: { path: { tenant }, query } })),
);
for await (const agent of agents) console.log(agent.id, agent.deployedRevision);
