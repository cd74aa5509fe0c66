import { requireScopeOrStarter } from "../../lib/executions/read/read-execution.ts";
import { cancelExecution } from "../../lib/executions/recover/cancel-execution.ts";
import type { Trigger } from "../../lib/executions/schemas.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, send, runtime: systemRuntime });

export const handler = endpoint(rows.cancelExecution, ({ db, ctx, params }) => {
  const authorize = (trigger: Trigger | undefined) =>
    requireScopeOrStarter(ctx.principal, rows.getExecutionRecord.scope, trigger);
  const { agent, executionRecord } = params;
  return cancelExecution(
    { ...deps(db), authorize },
    { tenantId: ctx.tenant.id, agentId: agent, executionId: executionRecord },
  );
});
