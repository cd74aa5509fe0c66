import { createDefineRoute } from "../../lib/edge/route.ts";
import { ChosenId } from "../../lib/platform/http/ids.ts";
import { pagingQuery } from "../../lib/platform/http/paging.ts";
import {
  CreateLlmProviderBody,
  LlmModels,
  LlmProvider,
  LlmProviderPage,
  LlmProviderTest,
  TestLlmProviderBody,
  UpdateLlmProviderBody,
} from "../../lib/tenancy/llm-provider/schemas.ts";

const route = createDefineRoute("llm-providers");
const any = { llmProvider: ChosenId.meta({ example: "echo" }) };
const own = { llmProvider: ChosenId.meta({ example: "our-models" }) };

export const listLlmProviders = route({
  operation: "list-llm-providers",
  method: "GET",
  path: "/v1/tenants/{tenant}/llm-providers",
  summary: "Lists language-model providers, the built-in ones first",
  scope: "llm_providers:read",
  query: pagingQuery,
  response: { status: 200, schema: LlmProviderPage },
  access: { table: "read" },
});

export const createLlmProvider = route({
  operation: "create-llm-provider",
  creates: "LlmProvider",
  method: "POST",
  path: "/v1/tenants/{tenant}/llm-providers",
  summary: "Creates a language-model provider",
  scope: "llm_providers:write",
  body: CreateLlmProviderBody,
  response: { status: 201, schema: LlmProvider },
  problems: ["conflict"],
  access: { table: "write", secrets: "seal" },
});

export const getLlmProvider = route({
  operation: "get-llm-provider",
  method: "GET",
  path: "/v1/tenants/{tenant}/llm-providers/{llmProvider}",
  summary: "Retrieves a language-model provider",
  scope: "llm_providers:read",
  params: any,
  response: { status: 200, schema: LlmProvider },
  access: { table: "read" },
});

export const updateLlmProvider = route({
  operation: "update-llm-provider",
  changes: "LlmProvider",
  method: "PATCH",
  path: "/v1/tenants/{tenant}/llm-providers/{llmProvider}",
  summary: "Updates a language-model provider or its credentials",
  scope: "llm_providers:write",
  params: own,
  body: UpdateLlmProviderBody,
  response: { status: 200, schema: LlmProvider },
  problems: ["conflict"],
  access: { table: "write", secrets: "seal" },
});

export const deleteLlmProvider = route({
  operation: "delete-llm-provider",
  changes: "LlmProvider",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/llm-providers/{llmProvider}",
  summary: "Deletes a language-model provider with its credentials",
  scope: "llm_providers:write",
  params: own,
  response: { status: 204 },
  problems: ["conflict"],
  access: { table: "write" },
});

export const testLlmProvider = route({
  operation: "test-llm-provider",
  method: "POST",
  path: "/v1/tenants/{tenant}/llm-providers/{llmProvider}:test",
  summary: "Tests a language-model provider with a prompt",
  scope: "llm_providers:test",
  params: any,
  body: TestLlmProviderBody,
  response: { status: 200, schema: LlmProviderTest },
  problems: ["upstream-failed", "upstream-timeout"],
  access: { table: "write", secrets: "open", models: true },
  slots: "call",
});

export const listLlmModels = route({
  operation: "list-llm-models",
  method: "GET",
  path: "/v1/tenants/{tenant}/llm-providers/{llmProvider}/models",
  summary: "Lists the models of a language-model provider, with known prices",
  scope: "llm_providers:read",
  params: any,
  response: { status: 200, schema: LlmModels },
  problems: ["upstream-failed", "upstream-timeout"],
  slots: "call",
  access: { table: "read", secrets: "open", prices: true },
});
