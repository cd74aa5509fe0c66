import type { ExecutionDeps } from "../executions/job/job.ts";
import { watchExecution } from "../executions/read/watch-execution.ts";
import type { StoredExecution } from "../executions/record/execution-record.ts";
import { toExecutionKey } from "../executions/record/keys.ts";
import { finalStatuses } from "../executions/schemas.ts";
import { a2aProblem } from "./problems.ts";
import { findTask, readTask, type TaskCaller, type TaskView } from "./read-task.ts";
import type { A2aTask, StreamResponse } from "./schemas.ts";

/** Longest subscription. A function is not notified when its client leaves, and keeps the tenant's slot until then. */
const maxSubscriptionMs = 120_000;
/** Time reserved for the end of the stream. */
const marginMs = 5_000;

type FollowDeps = Pick<ExecutionDeps, "db" | "objects" | "runtime" | "sleep">;

/** The receiver of a stream. */
export type TaskSink = { send: (event: StreamResponse) => void; hasLeft: () => boolean };

/** The caller of a stream. */
export type StreamCaller = TaskCaller & { deadline: number };

/**
 * Sends a task, and its changes until it has ended or begins to wait; at most for two minutes. Returns it as it is then.
 * Throws 404, and 400 for a task that has ended.
 */
export const subscribeToTask = async (
  deps: FollowDeps,
  { ctx, agentId, id, sink }: { ctx: StreamCaller; agentId: string; id: string; sink: TaskSink },
): Promise<A2aTask> => {
  const execution = await findTask(deps, { ctx, agentId, id });
  if (finalStatuses.has(execution.item.status)) {
    throw a2aProblem("UNSUPPORTED_OPERATION", "The task has ended. Read it instead.");
  }
  return followTask(deps, { ctx, execution, sink });
};

/** Sends the task of an execution that was read, and its changes, at most for two minutes. */
export const followTask = async (
  deps: FollowDeps,
  {
    ctx,
    execution,
    sink,
    view,
  }: { ctx: StreamCaller; execution: StoredExecution; sink: TaskSink; view?: TaskView },
): Promise<A2aTask> => {
  let task = await readTask(deps, { ctx, execution, view });
  sink.send({ task });
  const until = Math.min(deps.runtime.clock() + maxSubscriptionMs, ctx.deadline - marginMs);
  const key = toExecutionKey(execution.item);
  const watched = { key, from: execution, until, hasLeft: sink.hasLeft };
  for await (const changed of watchExecution(deps, watched)) {
    task = await readTask(deps, { ctx, execution: changed, view: { ...view, historyLength: 0 } });
    sendChange(sink, task);
  }
  return task;
};

/** Sends the artifacts and the status of a task. */
const sendChange = (
  { send }: TaskSink,
  { id, contextId, artifacts = [], status }: A2aTask,
): void => {
  const names = { taskId: id, contextId };
  for (const artifact of artifacts) {
    send({ artifactUpdate: { ...names, artifact, append: false, lastChunk: true } });
  }
  send({ statusUpdate: { ...names, status } });
};
