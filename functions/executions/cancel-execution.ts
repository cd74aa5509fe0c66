import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { cancelExecution } from "../../lib/execution/cancel-execution.ts";
import { systemRuntime } from "../../lib/runtime/runtime.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), runtime: systemRuntime });

export const handler = endpoint(rows.cancelExecution, ({ ctx, params }) =>
  cancelExecution(deps(), ctx.tenant.id, params.agent, params.executionRecord),
);
