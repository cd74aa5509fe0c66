import type { TestTenant, World } from "../world.ts";

/** A step with an effect that is counted under a name. */
export const effectStep = (world: World, name: string) => ({
  id: "effect",
  type: "Tool",
  integrationId: "system",
  toolId: "http_request",
  parameters: { method: "POST", url: `${world.effects.url}/effects/${name}` },
});

/** Members of a revision for executions with an `id`. */
export const takesId = { parametersMetadata: [{ name: "id", type: "String", required: true }] };

/** Builds a flow of which each step follows the one before it. */
export const connect = <Step extends { id: string }>(steps: readonly Step[]) => ({
  steps,
  edges: steps.slice(1).map(({ id: target }, at) => ({ source: steps[at]?.id, target })),
});

/** A step that calls the stand-in model, which has a price. */
export const callsModel = {
  id: "ask",
  type: "Prompt",
  prompt: "Hello",
  llm: { providerId: "stand-in", parameters: { model: "priced" } },
};

/** Cost of a call of the stub model in US dollars: 10 input and 3 output tokens. */
export const costOfCall = (10 * 100 + 3 * 200) / 1_000_000;

/** Creates the provider of the stub model. */
export const createProvider = async (world: World, tenant: TestTenant): Promise<void> => {
  await tenant.mustSend("POST", "/llm-providers", {
    body: {
      id: "stand-in",
      type: "openai-compatible",
      displayName: "Stand-in",
      baseUrl: `${world.model.url}/v1`,
      apiKey: "secret",
    },
  });
};

/** The embedding model of the provider of `createEmbeddingProvider`. */
export const embedding = { providerId: "embedder", model: "letters" };

/** Creates a provider with embeddings from the server of effects, which can delay them. */
export const createEmbeddingProvider = async (world: World, tenant: TestTenant): Promise<void> => {
  await tenant.mustSend("POST", "/llm-providers", {
    body: {
      id: embedding.providerId,
      type: "openai-compatible",
      displayName: "Embedder",
      baseUrl: `${world.effects.url}/v1`,
      apiKey: "secret",
    },
  });
};
