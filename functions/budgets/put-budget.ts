import { putBudget as put } from "../../lib/budget/put-budget.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { send } from "../../lib/queue/send.ts";
import { putBudget } from "./routes.ts";

const deps = () => ({ db: database(), send });

export const handler = endpoint(putBudget, deps, ({ ctx, params, body }, deps) =>
  put({ ctx, input: { agentId: params.agent, body }, deps }),
);
