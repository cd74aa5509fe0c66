import { createGuardrail } from "../../lib/agents/guardrail/create-guardrail.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db });

export const handler = endpoint(rows.createGuardrail, ({ db, ctx, body }) =>
  createGuardrail(deps(db), { ctx, body }),
);
