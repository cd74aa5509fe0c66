import { database } from "../../lib/db/database.ts";
import { cancelExecution as cancel } from "../../lib/execution/cancel-execution.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { systemRuntime } from "../../lib/runtime/runtime.ts";
import { cancelExecution } from "./routes.ts";

const deps = () => ({ db: database(), runtime: systemRuntime });

export const handler = endpoint(cancelExecution, deps, ({ ctx, params }, deps) =>
  cancel(deps, ctx.tenant.id, params.agent, params.executionRecord),
);
