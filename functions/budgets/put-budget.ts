import { getAgent } from "../../lib/agents/agent/store.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { putBudget } from "../../lib/spending/budget/put-budget.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, send, getAgent });

export const handler = endpoint(rows.putBudget, ({ db, ctx, params, body }) =>
  putBudget(deps(db), { ctx, agentId: params.agent, body }),
);
