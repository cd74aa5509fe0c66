import { createDefineRoute } from "../../lib/edge/route.ts";
import { executing } from "../../lib/executions/schemas.ts";
import {
  ChatCompletion,
  CreateChatCompletionBody,
  CreateResponseBody,
  Model,
  ModelList,
  OpenAiModelName,
  OpenAiResponse,
  ResponseId,
} from "../../lib/openai/schemas.ts";

const route = createDefineRoute("openai");

const { problems, access, slots, maxBodyBytes } = executing;

export const createResponse = route({
  operation: "create-response",
  protocol: "openai",
  concurrencyWeight: 2,
  method: "POST",
  path: "/v1/tenants/{tenant}/openai/responses",
  summary: "Executes an agent as a model of the OpenAI Responses API",
  scope: "agents:execute",
  body: CreateResponseBody,
  maxBodyBytes,
  response: { status: 200, schema: OpenAiResponse },
  problems: ["not-found", ...problems],
  access,
  slots,
  streaming: { completed: "response.completed", failed: "error", numbersErrors: true },
});

export const getResponse = route({
  operation: "get-response",
  protocol: "openai",
  method: "GET",
  path: "/v1/tenants/{tenant}/openai/responses/{response}",
  summary: "Retrieves a response of an agent",
  scope: "executions:read",
  starterScope: "agents:execute",
  params: { response: ResponseId },
  response: { status: 200, schema: OpenAiResponse },
  problems: ["insufficient-scope"],
  access: { table: "read", bucket: "read" },
});

export const cancelResponse = route({
  operation: "cancel-response",
  protocol: "openai",
  changes: "Execution",
  method: "POST",
  path: "/v1/tenants/{tenant}/openai/responses/{response}/cancel",
  summary: "Cancels a response that has not ended",
  scope: "agents:execute",
  params: { response: ResponseId },
  response: { status: 200, schema: OpenAiResponse },
  problems: ["conflict"],
  access: { table: "write", bucket: "read", publishes: ["executions", "schedules"] },
});

export const createChatCompletion = route({
  operation: "create-chat-completion",
  protocol: "openai",
  concurrencyWeight: 2,
  method: "POST",
  path: "/v1/tenants/{tenant}/openai/chat/completions",
  summary: "Executes an agent as a model of the OpenAI Chat Completions API",
  scope: "agents:execute",
  body: CreateChatCompletionBody,
  maxBodyBytes,
  response: { status: 200, schema: ChatCompletion },
  problems: ["not-found", ...problems],
  access,
  slots,
  streaming: { completed: "[DONE]", failed: "error" },
});

export const listModels = route({
  operation: "list-models",
  protocol: "openai",
  method: "GET",
  path: "/v1/tenants/{tenant}/openai/models",
  summary: "Lists the agents that may be named as a model",
  scope: "agents:read",
  starterScope: "agents:execute",
  response: { status: 200, schema: ModelList },
  access: { table: "read" },
});

export const getModel = route({
  operation: "get-model",
  protocol: "openai",
  method: "GET",
  path: "/v1/tenants/{tenant}/openai/models/{model}",
  summary: "Retrieves an agent that may be named as a model",
  scope: "agents:read",
  starterScope: "agents:execute",
  params: { model: OpenAiModelName },
  response: { status: 200, schema: Model },
  access: { table: "read" },
});
