import { command, group } from "../command.ts";
import { argument, positive, requiredChoice, text } from "../options.ts";

const types = ["openai", "anthropic", "google", "bedrock", "openai-compatible"] as const;

const list = command({
  name: "list",
  summary: "List model providers, the built-in ones first.",
  options: { limit: positive("maximum number of providers to list") },
  examples: ["wharf providers list"],
  scopes: "llm_providers:read",
  json: '`{"items": […]}`, each item as the API returned it',
  run: async (input, io) => (await import("./providers/list.ts")).listProviders(input, io),
});

const create = command({
  name: "create",
  summary: "Create a model provider.",
  args: { provider: argument("the new provider's id") },
  options: {
    type: requiredChoice("type", types, "kind of service"),
    apiKeyFile: text("file", "file with the service's API key; - reads standard input"),
    apiKeyEnv: text("variable", "environment variable with the service's API key"),
    displayName: text("name", "name to show; by default the id"),
    baseUrl: text("url", "base URL of the service; required for openai-compatible"),
    region: text("region", "AWS region of bedrock; by default that of the deployment"),
    defaultModel: text("model", "model of steps that do not name one"),
  },
  notes:
    "The API key is read from a file, standard input, the environment or a prompt: an argument would stay in the shell's history. It is stored encrypted and never returned.",
  examples: [
    "wharf providers create our-openai --type openai --api-key-env OPENAI_API_KEY --default-model gpt-5",
    "wharf providers create our-models --type openai-compatible --base-url https://models.example.com/v1 --api-key-file - < key.txt",
  ],
  scopes: "llm_providers:write",
  json: "the provider as the API returned it",
  run: async (input, io) => (await import("./providers/create.ts")).createProvider(input, io),
});

const test = command({
  name: "test",
  summary: "Send a prompt to a model of a provider and print the response.",
  args: { provider: argument("the provider's id") },
  options: {
    model: text("model", "model to test; by default the provider's default model"),
    prompt: text("text", "prompt to send"),
  },
  notes: "The provider charges for the call. Tokens, cost and duration go to standard error.",
  examples: ['wharf providers test echo --prompt "Say hello."'],
  scopes: "llm_providers:test",
  json: "the API's response: `{ok, providerId, modelId, text, usage, totalCost, priced, latencyMs}`",
  run: async (input, io) => (await import("./providers/test.ts")).testProvider(input, io),
});

/** Rows of `wharf providers`. */
export const providers = group({
  name: "providers",
  summary: "Manage and test model providers.",
  examples: [
    "wharf providers create our-openai --type openai --api-key-env OPENAI_API_KEY",
    "wharf providers test our-openai --model gpt-5",
  ],
  commands: [list, create, test],
});
