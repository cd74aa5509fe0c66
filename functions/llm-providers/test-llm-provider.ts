import { database } from "../../lib/db/database.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { testLlmProvider as test } from "../../lib/provider/test-llm-provider.ts";
import { bedrockModels, outgoingSettings } from "../../lib/runtime/env.ts";
import { testLlmProvider } from "./routes.ts";

const deps = () => ({
  db: database(),
  sealer: kmsSealer(),
  outgoing: { ...outgoingSettings(), bedrockModels: bedrockModels() },
});

export const handler = endpoint(testLlmProvider, deps, ({ ctx, params, body }, deps) =>
  test({ ctx, input: { providerId: params.llmProvider, body }, deps }),
);
