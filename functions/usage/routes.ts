import { createDefineRoute } from "../../lib/edge/route.ts";
import { UsageReport, usageQuery } from "../../lib/spending/usage/schemas.ts";

const route = createDefineRoute("usage");

export const getUsage = route({
  operation: "get-usage",
  method: "GET",
  path: "/v1/tenants/{tenant}/usage",
  summary: "Retrieves executions, tokens and cost by day",
  scope: "revisions:read",
  query: usageQuery,
  response: { status: 200, schema: UsageReport },
  access: { table: "read" },
});
