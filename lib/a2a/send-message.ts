import type { ExecutionDeps } from "../executions/job/job.ts";
import { continueTask } from "./continue-task.ts";
import { runMessage, type StartingMessage } from "./run-message.ts";
import type { SendMessageResponse } from "./schemas.ts";
import { toFailedTask, toStartedTask, toView } from "./started-task.ts";

/**
 * Sends a message to an agent: starts an execution and returns its task, or decides what a task waits for. Waits up to 25
 * seconds for the end, unless the client asks for none; the execution then continues. Throws the problems of `:execute`.
 */
export const sendMessage = async (
  deps: ExecutionDeps,
  sending: StartingMessage,
): Promise<SendMessageResponse> => {
  const { request } = sending;
  if (request.message.taskId) return { task: await continueTask(deps, sending) };
  toView(request);
  const ctx = { ...sending.ctx, events: undefined };
  const started = await runMessage(deps, { ...sending, ctx }).catch(async (error: unknown) => ({
    failed: await toFailedTask(deps, { ...sending, error }),
  }));
  return {
    task:
      "failed" in started ? started.failed : await toStartedTask(deps, { ctx, request, started }),
  };
};
