import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { notFound } from "../../lib/http/problems.ts";
import { requireNotBuiltIn } from "../../lib/provider/built-in-providers.ts";
import { removeProvider } from "../../lib/provider/store.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.deleteLlmProvider, async ({ ctx, params }) => {
  requireNotBuiltIn(params.llmProvider);
  const removed = await removeProvider(database(), ctx.tenant.id, params.llmProvider);
  if (!removed) throw notFound("language-model provider", params.llmProvider);
  return undefined;
});
