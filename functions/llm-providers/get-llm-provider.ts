import { endpoint } from "../../lib/http/endpoint.ts";
import { notFound } from "../../lib/http/problems.ts";
import { builtInProviders } from "../../lib/provider/built-in-providers.ts";
import { getLlmProvider } from "./routes.ts";

export const handler = endpoint(
  getLlmProvider,
  () => undefined,
  async ({ params }) => {
    const provider = builtInProviders.find(({ id }) => id === params.llmProvider);
    if (!provider) throw notFound("language-model provider", params.llmProvider);
    return provider;
  },
);
