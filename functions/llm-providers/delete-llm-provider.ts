import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { notFound } from "../../lib/http/problems.ts";
import { requireNotBuiltIn } from "../../lib/provider/built-in-providers.ts";
import { removeProvider } from "../../lib/provider/store.ts";
import { deleteLlmProvider } from "./routes.ts";

export const handler = endpoint(deleteLlmProvider, database, async ({ ctx, params }, db) => {
  requireNotBuiltIn(params.llmProvider);
  const removed = await removeProvider(db, ctx.tenant.id, params.llmProvider);
  if (!removed) throw notFound("language-model provider", params.llmProvider);
  return undefined;
});
