import { database } from "../../lib/db/database.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { createLlmProvider } from "../../lib/provider/create-llm-provider.ts";
import { toLlmProvider } from "../../lib/provider/to-llm-provider.ts";
import { bedrockModels, outgoingSettings } from "../../lib/runtime/env.ts";
import * as rows from "./routes.ts";

const deps = () => ({
  db: database(),
  sealer: kmsSealer(),
  outgoing: outgoingSettings(),
  bedrockModels: bedrockModels(),
});

export const handler = endpoint(rows.createLlmProvider, async ({ ctx, body }) =>
  toLlmProvider(await createLlmProvider({ ctx, input: body, deps: deps() })),
);
