import { database } from "../../lib/db/database.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { toLlmProvider } from "../../lib/provider/to-llm-provider.ts";
import { updateLlmProvider } from "../../lib/provider/update-llm-provider.ts";
import { bedrockModels, outgoingSettings } from "../../lib/runtime/env.ts";
import * as rows from "./routes.ts";

const deps = () => ({
  db: database(),
  sealer: kmsSealer(),
  outgoing: outgoingSettings(),
  bedrockModels: bedrockModels(),
});

export const handler = endpoint(rows.updateLlmProvider, async ({ ctx, params, body }) => {
  const input = { providerId: params.llmProvider, body };
  return toLlmProvider(await updateLlmProvider({ ctx, input, deps: deps() }));
});
