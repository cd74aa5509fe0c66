import { fromQueued, type PackedValue, toQueued } from "../platform/db/large-value.ts";
import type { StoredExecution } from "./items.ts";
import type { RunAgent } from "./job.ts";
import type { ExecutionRun } from "./messages.ts";

/** An execution to queue, with what its message carries of it. */
export type QueuedExecution = { agentId: string; id: string } & Pick<
  ExecutionRun,
  "agent" | "input"
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
