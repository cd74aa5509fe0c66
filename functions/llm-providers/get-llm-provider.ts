import { notFound } from "../../lib/platform/http/problems.ts";
import { findBuiltIn } from "../../lib/tenancy/llm-provider/built-in-providers.ts";
import { getProvider } from "../../lib/tenancy/llm-provider/store.ts";
import { toLlmProvider } from "../../lib/tenancy/llm-provider/to-llm-provider.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getLlmProvider, async ({ db, ctx, params }) => {
  const builtIn = findBuiltIn(params.llmProvider);
  if (builtIn) return builtIn;
  const provider = await getProvider(db, ctx.tenant.id, params.llmProvider);
  if (!provider) throw notFound("language-model provider", params.llmProvider);
  return toLlmProvider(provider);
});
