import { fromQueued, type PackedValue, toQueued } from "../../platform/db/large-value.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Send } from "../../platform/queue/send.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { splitEvery } from "../../platform/runtime/split-every.ts";
import type { RunAgent } from "../job/job.ts";
import { type ExecutionRun, maxRunsPerMessage, type RunExecutionMessage } from "../messages.ts";
import type { StoredExecution } from "../record/execution-record.ts";
import type { ExecutionKey } from "../record/keys.ts";

/**
 * Sends executions of a tenant to the workers, ten in a message, those of a batch in a message of their own. A failed send is
 * only logged: recovery finds the open executions and sends them again.
 */
export const enqueueExecutions = async (
  send: Send,
  tenantId: TenantId,
  executions: readonly QueuedExecution[],
): Promise<void> => {
  const ofBatches = Map.groupBy(executions, ({ batchId }) => batchId);
  const messages = [...ofBatches].flatMap(([batchId, all]) =>
    splitEvery(all, maxRunsPerMessage).map((runs) => ({ batchId, runs })),
  );
  await Promise.all(messages.map(({ batchId, runs }) => sendRuns(send, tenantId, runs, batchId)));
};

const sendRuns = async (
  send: Send,
  tenantId: TenantId,
  executions: readonly QueuedExecution[],
  batchId: string | undefined,
): Promise<void> => {
  const runs = executions.map(({ agentId, id, agent, input, requestId }) => ({
    agentId,
    executionId: id,
    ...(agent && { agent }),
    ...(input && { input }),
    ...(requestId !== undefined && { requestId }),
  }));
  const message: RunExecutionMessage = {
    type: "run-execution",
    tenantId,
    runs,
    ...(batchId !== undefined && { batchId }),
  };
  try {
    await send("executions", tenantId, message);
  } catch (error) {
    const executionIds = executions.map(({ id }) => id);
    log("executions-not-queued", { executionIds, error: asError(error) });
  }
};

/** An end takes seconds, also when its writes are repeated. */
const endedDelaySeconds = 60;

/**
 * Sends an execution that is about to end in a request: should that crash after the end, a worker closes its open waits and
 * sub-agents. Rejects when the queue does not accept it, before anything has ended.
 */
export const enqueueEnded = (
  send: Send,
  { tenantId, agentId, executionId }: ExecutionKey,
): Promise<void> => {
  const runs = [{ agentId, executionId }];
  const message: RunExecutionMessage = {
    type: "run-execution",
    tenantId,
    runs,
    haveEnded: true,
  };
  return send("executions", tenantId, message, endedDelaySeconds);
};

/** An execution to queue, with what its message carries of it. `batchId`: see `QueuedBatch`; absent for one of its own. */
export type QueuedExecution = { agentId: string; id: string; batchId?: string } & Pick<
  ExecutionRun,
  "agent" | "input" | "requestId"
>;

/** After this time since it was read an agent is read again, since it may have been deleted. */
const carriedMs = 10_000;

/** Returns what a message carries of an input that has an item of its own, as its record has it. */
export const toCarriedInput = (part: string, value: PackedValue): ExecutionRun["input"] =>
  "object" in value ? undefined : { part, value: toQueued(value) };

/** Returns the carried input of an execution; undefined when its message has none, or not the one that was stored. */
export const carriedInput = (
  { input: stored }: Pick<StoredExecution, "input">,
  { input: carried }: Pick<ExecutionRun, "input">,
): PackedValue | undefined => {
  if (!carried || !stored || !("part" in stored) || stored.part !== carried.part) return undefined;
  return fromQueued(carried.value);
};

/** Returns what a message carries of an agent that was read at a time, Unix milliseconds. */
export const toCarriedAgent = (
  { createdAt, budget, onlineEvaluation }: RunAgent,
  readAt: number,
): NonNullable<ExecutionRun["agent"]> => ({
  createdAt,
  budget,
  readAt,
  ...(onlineEvaluation && { sampleRate: onlineEvaluation.sampleRate }),
});

/**
 * Returns the carried agent of an execution; undefined when its message has none, when it is old, or when the record
 * is of another agent that was created with the same id.
 */
export const carriedAgent = (
  { item, agentCreatedAt }: StoredExecution,
  { agent }: Pick<ExecutionRun, "agent">,
  now: number,
): RunAgent | undefined => {
  if (!agent || now - agent.readAt > carriedMs) return undefined;
  if (agentCreatedAt !== undefined && agentCreatedAt !== agent.createdAt) return undefined;
  const { createdAt, budget, sampleRate } = agent;
  const onlineEvaluation = sampleRate === undefined ? null : { sampleRate };
  return { id: item.agentId, createdAt, budget, onlineEvaluation };
};
