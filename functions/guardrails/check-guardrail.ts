import { checkGuardrail } from "../../lib/agents/guardrail/check-guardrail.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { bedrockModels, outgoingSettings } from "../../lib/platform/runtime/env.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({
  db,
  sealer: kmsSealer(),
  outgoing: { ...outgoingSettings(), bedrockModels: bedrockModels() },
});

export const handler = endpoint(rows.checkGuardrail, ({ db, ctx, params, body }) =>
  checkGuardrail(deps(db), { ctx, guardrailId: params.guardrail, body }),
);
