import { ChosenId } from "../../lib/http/ids.ts";
import { pagingQuery } from "../../lib/http/paging.ts";
import { routesOf } from "../../lib/http/route.ts";
import { LlmProvider, LlmProviderPage } from "../../lib/provider/schemas.ts";

const route = routesOf("llm-providers");

export const listLlmProviders = route({
  operation: "list-llm-providers",
  method: "GET",
  path: "/v1/tenants/{tenant}/llm-providers",
  summary: "List language-model providers, the built-in ones first",
  scope: "llm_providers:read",
  query: pagingQuery,
  response: { status: 200, schema: LlmProviderPage },
  access: { table: "read" },
});

export const getLlmProvider = route({
  operation: "get-llm-provider",
  method: "GET",
  path: "/v1/tenants/{tenant}/llm-providers/{llmProvider}",
  summary: "Read one language-model provider",
  scope: "llm_providers:read",
  params: { llmProvider: ChosenId.meta({ example: "echo" }) },
  response: { status: 200, schema: LlmProvider },
  access: { table: "read" },
});
