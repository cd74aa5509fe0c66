import type { ExecutionDeps } from "../executions/job/job.ts";
import { getExecution } from "../executions/record/store.ts";
import type { ExecutionResult } from "../executions/schemas.ts";
import { describeWait } from "../mcp/describe-wait.ts";
import { releaseKey } from "../platform/http/call-context.ts";
import { Problem } from "../platform/http/problems.ts";
import { newUuid } from "../platform/runtime/runtime.ts";
import { type OutputModes, readOutputModes, toOutputParts } from "./output-modes.ts";
import { explain, readTask, type TaskView, toWaitParts } from "./read-task.ts";
import type { StartedExecution, StartingMessage } from "./run-message.ts";
import type { A2aPart, A2aTask, SendMessageRequest } from "./schemas.ts";
import { nameTask, type TaskNames, toTask } from "./to-task.ts";

/** Returns the names of the task that a message started. */
export const nameStarted = (
  execution: Pick<ExecutionResult, "executionId" | "session">,
  { message }: SendMessageRequest,
): TaskNames => nameTask(execution, message.contextId ?? undefined);

/** Returns how the client of a message reads its task. Throws 400. */
export const toView = ({
  configuration,
}: SendMessageRequest): TaskView & { modes: OutputModes } => ({
  historyLength: configuration?.historyLength,
  hasArtifacts: true,
  modes: readOutputModes(configuration?.acceptedOutputModes),
});

/** Describes what an execution waits for; undefined for one that does not wait. */
export const describeStarted = async (
  { db }: Pick<ExecutionDeps, "db">,
  { ctx, started }: Pick<StartingMessage, "ctx"> & { started: StartedExecution },
): Promise<A2aPart[] | undefined> => {
  const { execution, wait } = started;
  const { tenant, principal, baseUrl } = ctx;
  if (!wait) return undefined;
  const waiting = { tenantId: tenant.id, principal, baseUrl, execution, wait };
  return toWaitParts(await describeWait(db, waiting));
};

/**
 * Builds the task of an execution that a message started. It has no history: the client has the message, in which nothing is
 * masked.
 */
export const toStartedTask = async (
  deps: Pick<ExecutionDeps, "db">,
  { ctx, request, started }: Omit<StartingMessage, "agentId"> & { started: StartedExecution },
): Promise<A2aTask> => {
  const { execution } = started;
  const names = nameStarted(execution, request);
  const isDone = execution.status === "Succeeded";
  const place = { baseUrl: ctx.baseUrl, tenantId: ctx.tenant.id };
  const { modes } = toView(request);
  return toTask(execution, {
    names,
    note: await describeStarted(deps, { ctx, started }),
    output: isDone ? toOutputParts(execution.output, { modes, place }) : undefined,
  });
};

/** Refusals before an execution is started, by which an agent rejects a task. */
const rejections: readonly string[] = ["budget-exceeded", "guardrail-blocked"];

/**
 * Returns the task of a message that ended with an error: of the execution that failed, or of one that the agent rejected
 * before it was started, which is not stored. Throws other errors.
 */
export const toFailedTask = async (
  deps: ExecutionDeps,
  { ctx, agentId, request, error }: StartingMessage & { error: unknown },
): Promise<A2aTask> => {
  if (!(error instanceof Problem)) throw error;
  const { executionId } = error.members;
  if (typeof executionId === "string") {
    const execution = await getExecution(deps.db, ctx.tenant.id, agentId, executionId);
    if (!execution?.item.endTime) throw error;
    return readTask(deps, { ctx, execution, view: toView(request) });
  }
  if (!rejections.includes(error.slug)) throw error;
  releaseKey(ctx.once, error);
  const rejected = {
    executionId: newUuid(deps.runtime),
    agentId,
    agentRevision: 0,
    status: "Failed" as const,
    session: null,
    startTime: deps.runtime.clock(),
    endTime: null,
  };
  const names = nameStarted(rejected, request);
  const note = explain({ detail: error.message });
  return toTask(rejected, { names, errorType: error.slug, note });
};
