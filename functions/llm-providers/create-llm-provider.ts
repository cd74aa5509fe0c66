import { database } from "../../lib/db/database.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { createLlmProvider as create } from "../../lib/provider/create-llm-provider.ts";
import { toLlmProvider } from "../../lib/provider/to-llm-provider.ts";
import { bedrockModels, outgoingSettings } from "../../lib/runtime/env.ts";
import { createLlmProvider } from "./routes.ts";

const deps = () => ({
  db: database(),
  sealer: kmsSealer(),
  outgoing: outgoingSettings(),
  bedrockModels: bedrockModels(),
});

export const handler = endpoint(createLlmProvider, deps, async ({ ctx, body }, deps) =>
  toLlmProvider(await create({ ctx, input: body, deps })),
);
