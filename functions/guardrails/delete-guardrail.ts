import { deleteGuardrail } from "../../lib/agents/guardrail/delete-guardrail.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db });

export const handler = endpoint(rows.deleteGuardrail, async ({ db, ctx, params }) => {
  await deleteGuardrail(deps(db), { ctx, guardrailId: params.guardrail });
  return undefined;
});
