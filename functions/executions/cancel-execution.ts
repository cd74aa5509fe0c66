import { cancelExecution } from "../../lib/agents/execution/cancel-execution.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), runtime: systemRuntime });

export const handler = endpoint(rows.cancelExecution, ({ ctx, params }) =>
  cancelExecution(deps(), ctx.tenant.id, params.agent, params.executionRecord),
);
