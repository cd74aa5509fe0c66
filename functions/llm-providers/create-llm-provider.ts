import type { Database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { bedrockModels, outgoingSettings } from "../../lib/platform/runtime/env.ts";
import { createLlmProvider } from "../../lib/tenancy/llm-provider/create-llm-provider.ts";
import { toLlmProvider } from "../../lib/tenancy/llm-provider/to-llm-provider.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({
  db,
  sealer: kmsSealer(),
  outgoing: outgoingSettings(),
  bedrockModels: bedrockModels(),
});

export const handler = endpoint(rows.createLlmProvider, async ({ db, ctx, body }) =>
  toLlmProvider(await createLlmProvider(deps(db), { ctx, body })),
);
