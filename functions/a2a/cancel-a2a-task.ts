import { cancelTask } from "../../lib/a2a/cancel-task.ts";
import { requireA2aVersion } from "../../lib/a2a/require-a2a-version.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.cancelA2aTask, ({ db, ctx, params, query, headers }) => {
  requireA2aVersion(headers, query);
  const deps = { db, send, runtime: systemRuntime };
  return cancelTask(deps, { ctx, agentId: params.agent, id: params.task });
});
