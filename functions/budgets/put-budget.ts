import { getAgent } from "../../lib/agents/agent/store.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { putBudget } from "../../lib/spending/budget/put-budget.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), send, getAgent });

export const handler = endpoint(rows.putBudget, ({ ctx, params, body }) =>
  putBudget(deps(), { ctx, agentId: params.agent, body }),
);
