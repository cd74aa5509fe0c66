import type { DemoContext } from "./demo.ts";

/** Creates providers of models. All of them are servers on this machine. */
export const createModels = async (
  { client, path }: DemoContext,
  { url, slowUrl }: { url: string; slowUrl: string },
): Promise<void> => {
  const create = "/v1/tenants/{tenant}/llm-providers";
  const params = { path };
  const apiKey = "a-key-of-models";
  await client.POST(create, {
    params,
    body: {
      id: "openai",
      type: "openai",
      displayName: "OpenAI",
      baseUrl: `${url}/v1`,
      defaultModel: "gpt-5-mini",
      apiKey,
    },
  });
  await client.POST(create, {
    params,
    body: {
      id: "anthropic",
      type: "anthropic",
      displayName: "Anthropic",
      baseUrl: `${url}/v1`,
      defaultModel: "claude-sonnet-4-5",
      apiKey,
    },
  });
  await client.POST(create, {
    params,
    body: {
      id: "own-models",
      type: "openai-compatible",
      displayName: "Our own models",
      baseUrl: `${slowUrl}/v1`,
      defaultModel: "llama3.3",
    },
  });
};
