import { putBudget as put } from "../../lib/budget/put-budget.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { putBudget } from "./routes.ts";

const deps = () => ({ db: database() });

export const handler = endpoint(putBudget, deps, ({ ctx, params, body }, deps) =>
  put({ ctx, input: { agentId: params.agent, body }, deps }),
);
