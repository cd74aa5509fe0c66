import type { Database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { bedrockModels, outgoingSettings } from "../../lib/platform/runtime/env.ts";
import { toLlmProvider } from "../../lib/tenancy/llm-provider/to-llm-provider.ts";
import { updateLlmProvider } from "../../lib/tenancy/llm-provider/update-llm-provider.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({
  db,
  sealer: kmsSealer(),
  outgoing: outgoingSettings(),
  bedrockModels: bedrockModels(),
});

export const handler = endpoint(rows.updateLlmProvider, async ({ db, ctx, params, body }) => {
  const input = { providerId: params.llmProvider, body };
  return toLlmProvider(await updateLlmProvider(deps(db), { ctx, ...input }));
});
