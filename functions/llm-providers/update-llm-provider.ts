import { database } from "../../lib/db/database.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { toLlmProvider } from "../../lib/provider/to-llm-provider.ts";
import { updateLlmProvider as update } from "../../lib/provider/update-llm-provider.ts";
import { bedrockModels, outgoingSettings } from "../../lib/runtime/env.ts";
import { updateLlmProvider } from "./routes.ts";

const deps = () => ({
  db: database(),
  sealer: kmsSealer(),
  outgoing: outgoingSettings(),
  bedrockModels: bedrockModels(),
});

export const handler = endpoint(updateLlmProvider, deps, async ({ ctx, params, body }, deps) => {
  const input = { providerId: params.llmProvider, body };
  return toLlmProvider(await update({ ctx, input, deps }));
});
