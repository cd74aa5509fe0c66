import { database } from "../../lib/db/database.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { testLlmProvider } from "../../lib/provider/test-llm-provider.ts";
import { bedrockModels, outgoingSettings } from "../../lib/runtime/env.ts";
import * as rows from "./routes.ts";

const deps = () => ({
  db: database(),
  sealer: kmsSealer(),
  outgoing: { ...outgoingSettings(), bedrockModels: bedrockModels() },
});

export const handler = endpoint(rows.testLlmProvider, ({ ctx, params, body }) =>
  testLlmProvider({ ctx, input: { providerId: params.llmProvider, body }, deps: deps() }),
);
