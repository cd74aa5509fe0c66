import { createDefineRoute } from "../../lib/edge/route.ts";
import { ChosenId } from "../../lib/platform/http/ids.ts";
import { AgentBudget, PutBudgetBody } from "../../lib/spending/budget/schemas.ts";

const route = createDefineRoute("budgets");

export const getBudget = route({
  operation: "get-budget",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/budget",
  summary: "Retrieves an agent's monthly budget and its usage",
  scope: "agents:read",
  params: { agent: ChosenId },
  response: { status: 200, schema: AgentBudget },
  access: { table: "read" },
});

export const putBudget = route({
  operation: "put-budget",
  changes: "Budget",
  method: "PUT",
  path: "/v1/tenants/{tenant}/agents/{agent}/budget",
  summary: "Sets an agent's monthly budget",
  scope: "agents:write",
  role: "Owner",
  params: { agent: ChosenId },
  body: PutBudgetBody,
  response: { status: 200, schema: AgentBudget },
  problems: ["conflict"],
  access: { table: "write", publishes: ["events"] },
});

export const deleteBudget = route({
  operation: "delete-budget",
  changes: "Budget",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/agents/{agent}/budget",
  summary: "Deletes an agent's monthly budget",
  scope: "agents:write",
  role: "Owner",
  params: { agent: ChosenId },
  response: { status: 204 },
  access: { table: "write" },
});
