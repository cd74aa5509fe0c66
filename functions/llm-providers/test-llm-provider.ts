import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { bedrockModels, outgoingSettings } from "../../lib/platform/runtime/env.ts";
import { testLlmProvider } from "../../lib/tenancy/llm-provider/test-llm-provider.ts";
import * as rows from "./routes.ts";

const deps = () => ({
  db: database(),
  sealer: kmsSealer(),
  outgoing: { ...outgoingSettings(), bedrockModels: bedrockModels() },
});

export const handler = endpoint(rows.testLlmProvider, ({ ctx, params, body }) =>
  testLlmProvider(deps(), { ctx, providerId: params.llmProvider, body }),
);
