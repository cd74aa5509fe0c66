import type { Database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { bedrockModels, outgoingSettings } from "../../lib/platform/runtime/env.ts";
import { listLlmModels } from "../../lib/tenancy/llm-provider/list-llm-models.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({
  db,
  sealer: kmsSealer(),
  outgoing: { ...outgoingSettings(), bedrockModels: bedrockModels() },
});

export const handler = endpoint(rows.listLlmModels, ({ db, ctx, params }) =>
  listLlmModels(deps(db), { ctx, providerId: params.llmProvider }),
);
