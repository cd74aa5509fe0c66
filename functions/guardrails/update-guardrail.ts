import { updateGuardrail } from "../../lib/agents/guardrail/update-guardrail.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db });

export const handler = endpoint(rows.updateGuardrail, ({ db, ctx, params, body }) =>
  updateGuardrail(deps(db), { ctx, guardrailId: params.guardrail, body }),
);
