import { notFound } from "../../lib/platform/http/problems.ts";
import { requireNotBuiltIn } from "../../lib/tenancy/llm-provider/built-in-providers.ts";
import { removeProvider } from "../../lib/tenancy/llm-provider/store.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.deleteLlmProvider, async ({ db, ctx, params }) => {
  requireNotBuiltIn(params.llmProvider);
  const removed = await removeProvider(db, ctx.tenant.id, params.llmProvider);
  if (!removed) throw notFound("language-model provider", params.llmProvider);
  return undefined;
});
