import { createHash } from "node:crypto";
import type { ExecutionResult } from "../executions/schemas.ts";
import type { A2aPart, A2aTask, Artifact, Message, TaskState, TaskStatus } from "./schemas.ts";

/** An execution as a task shows it. */
export type TaskExecution = Pick<
  ExecutionResult,
  "executionId" | "agentId" | "agentRevision" | "status" | "session" | "startTime" | "endTime"
>;

/** The names of a task: its id, and that of its context. */
export type TaskNames = { taskId: string; contextId: string };

/** Content of a task beyond its execution. */
export type TaskContent = {
  names: TaskNames;
  /** Slug of the problem that it ended with; undefined for none. */
  errorType?: string | null | undefined;
  /** Parts of the message with its status. */
  note?: readonly A2aPart[] | undefined;
  /** Parts of the artifact with its output. */
  output?: readonly A2aPart[] | undefined;
  history?: readonly Message[] | undefined;
};

/** Members of an execution's metadata with what its message named. */
export const metadataNames = { contextId: "a2a.contextId", messageId: "a2a.messageId" } as const;

/**
 * Returns the names of an execution's task. Its context is its session; without one the context that the message named, or
 * one of its own.
 */
export const nameTask = (
  { executionId, session }: Pick<TaskExecution, "executionId" | "session">,
  contextId: string | undefined,
): TaskNames => ({ taskId: executionId, contextId: session?.id ?? contextId ?? executionId });

const states: Readonly<Record<TaskExecution["status"], TaskState>> = {
  Queued: "TASK_STATE_SUBMITTED",
  Running: "TASK_STATE_WORKING",
  Waiting: "TASK_STATE_INPUT_REQUIRED",
  Succeeded: "TASK_STATE_COMPLETED",
  Failed: "TASK_STATE_FAILED",
  TimedOut: "TASK_STATE_FAILED",
  Cancelled: "TASK_STATE_CANCELED",
};

/** Problems of what an agent refused to do, rather than failed to. */
const refusals: readonly string[] = ["budget-exceeded", "guardrail-blocked"];

/** Returns the state of an execution's task. */
export const toState = (
  status: TaskExecution["status"],
  errorType?: string | null | undefined,
): TaskState =>
  status === "Failed" && errorType && refusals.includes(errorType)
    ? "TASK_STATE_REJECTED"
    : states[status];

/** Builds a message of the agent with an id of its own. */
export const buildAgentMessage = (names: TaskNames, parts: readonly A2aPart[]): Message => ({
  messageId: deriveId(names.taskId, JSON.stringify(parts)),
  ...names,
  role: "ROLE_AGENT",
  parts: [...parts],
});

/** Derives the id of a message or an artifact: it is the same whenever the task is read. */
const deriveId = (taskId: string, content: string): string =>
  createHash("sha256").update(`${taskId}/${content}`).digest("hex").slice(0, 32);

/** Builds the status of an execution's task. */
export const toTaskStatus = (
  { status, startTime, endTime }: Pick<TaskExecution, "status" | "startTime" | "endTime">,
  { names, errorType, note }: Pick<TaskContent, "names" | "errorType" | "note">,
): TaskStatus => ({
  state: toState(status, errorType),
  ...(note && note.length > 0 && { message: buildAgentMessage(names, note) }),
  timestamp: new Date(endTime ?? startTime).toISOString(),
});

/** Returns the id of the artifact with the output of a task. */
export const toArtifact = ({ taskId }: TaskNames, parts: readonly A2aPart[]): Artifact => ({
  artifactId: deriveId(taskId, "output"),
  parts: [...parts],
});

/** Builds the task of an execution. */
export const toTask = (execution: TaskExecution, content: TaskContent): A2aTask => {
  const { names, output, history } = content;
  return {
    id: names.taskId,
    contextId: names.contextId,
    status: toTaskStatus(execution, content),
    ...(output && output.length > 0 && { artifacts: [toArtifact(names, output)] }),
    ...(history && history.length > 0 && { history: [...history] }),
    metadata: { agentId: execution.agentId, agentRevision: execution.agentRevision },
  };
};
