import type { ExecutionDeps } from "../executions/job/job.ts";
import { toExecutionKey } from "../executions/record/keys.ts";
import type { Storage } from "../executions/record/values.ts";
import { cancelExecution } from "../executions/recover/cancel-execution.ts";
import { Problem } from "../platform/http/problems.ts";
import { a2aProblem } from "./problems.ts";
import { findTask, nameStored, type TaskCaller } from "./read-task.ts";
import type { A2aTask } from "./schemas.ts";
import { toTask } from "./to-task.ts";

/** Cancels the execution of a task. Throws 404, and 400 for one that has ended. */
export const cancelTask = async (
  deps: Pick<ExecutionDeps, "runtime" | "send"> & Pick<Storage, "db">,
  { ctx, agentId, id }: { ctx: TaskCaller; agentId: string; id: string },
): Promise<A2aTask> => {
  const { item } = await findTask(deps, { ctx, agentId, id });
  const cancelled = await cancelExecution(deps, toExecutionKey(item)).catch((error: unknown) => {
    throw error instanceof Problem && error.slug === "conflict"
      ? a2aProblem("TASK_NOT_CANCELABLE", error.message)
      : error;
  });
  return toTask(cancelled, { names: nameStored(item) });
};
