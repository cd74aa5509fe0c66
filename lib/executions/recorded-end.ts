import type { SpendLimit } from "../engine/flow/spend-guard.ts";
import type { Json } from "../values/json/json.ts";
import type { Finished } from "./finish-execution.ts";
import { type ExecutionItem, isOpen, type StoredExecution } from "./items.ts";
import type { Storage } from "./parts.ts";
import { readEnd } from "./read-execution.ts";
import { noTreeCost, toTreeMembers } from "./tree-cost.ts";

/** An execution that has ended, as its record has it: secrets are masked in its error and its trace. */
export type RecordedEnd = {
  item: ExecutionItem;
  output: Json;
  /** Null when it succeeded or was cancelled. */
  error: { detail: string } | null;
  /** As `TraceSpan`. */
  trace: readonly unknown[];
};

/** A limit and a listener that an execution has in a worker. */
export type RunHooks = {
  /** A limit of what it spends with its sub-agents. */
  limit?: SpendLimit | undefined;
  /** Called after its end was recorded. */
  onEnded?: (end: RecordedEnd) => Promise<void>;
};

/** Returns the attendance of an execution; undefined for none. */
export type RunHooksFor = (item: ExecutionItem) => RunHooks | undefined;

/** Returns the end that a run recorded. */
export const toRecordedEnd = (finished: Finished): RecordedEnd => {
  const { item, result, output, error, treeCost, trace } = finished;
  return {
    item: { ...item, status: result.status, ...toTreeMembers(treeCost, noTreeCost) },
    output,
    error,
    trace,
  };
};

/** Reads the end of an execution; undefined while it runs, or its usage is not counted. */
export const readRecordedEnd = async (
  storage: Storage,
  execution: StoredExecution,
): Promise<RecordedEnd | undefined> => {
  const { item } = execution;
  if (isOpen(item)) return undefined;
  const end = await readEnd(storage, execution);
  return {
    item,
    output: end?.output ?? null,
    error: end?.error ?? null,
    trace: end?.trace ?? [],
  };
};
