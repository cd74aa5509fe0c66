import type { Database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { bedrockModels, outgoingSettings } from "../../lib/platform/runtime/env.ts";
import { testLlmProvider } from "../../lib/tenancy/llm-provider/test-llm-provider.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({
  db,
  sealer: kmsSealer(),
  outgoing: { ...outgoingSettings(), bedrockModels: bedrockModels() },
});

export const handler = endpoint(rows.testLlmProvider, ({ db, ctx, params, body }) =>
  testLlmProvider(deps(db), { ctx, providerId: params.llmProvider, body }),
);
