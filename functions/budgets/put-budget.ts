import { putBudget } from "../../lib/budget/put-budget.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { send } from "../../lib/queue/send.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), send });

export const handler = endpoint(rows.putBudget, ({ ctx, params, body }) =>
  putBudget({ ctx, input: { agentId: params.agent, body }, deps: deps() }),
);
