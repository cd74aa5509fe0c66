import type { FlowEvent, StepOutcome } from "../engine/flow/flow-result.ts";
import type { SpendLimit } from "../engine/flow/spend-guard.ts";
import type { ProcessorBudget } from "../platform/sandbox/processor-budget.ts";
import type { Finished } from "./finish-execution.ts";
import type { StepKeeper } from "./step-keeper.ts";

/** State shared by all runs in one function call: a run and those of its sub-agents. */
export type RunContext = {
  steps: StepKeeper;
  /** Processor budget of their expressions and schemas. */
  processor: ProcessorBudget;
  /**
   * Aborted, with a StopReason, when the runs must stop. "lost": another run holds the execution, and nothing
   * may be written any more.
   */
  stop: AbortSignal;
  /** A limit of what they spend together, in addition to the budgets of their agents. */
  limit?: SpendLimit | undefined;
  /** Stops the runs so that another function can resume them, also after a storage failure. */
  handOver: AbortController;
};

/** Why runs must stop. */
export type StopReason = "cancelled" | "lost";

/** Returns whether another run holds the execution. */
export const isLost = ({ stop }: Pick<RunContext, "stop">): boolean => stop.reason === "lost";

/** Options of one run of an execution. */
export type RunOptions = {
  context: RunContext;
  /** When aborted, the run starts no further steps that wait, and ends as `open` unless none is left. */
  drain?: AbortSignal;
  /** Aborted when this run must stop: the context's signal, or also a sub-agent's own. */
  stop: AbortSignal;
  emit?: (event: FlowEvent) => void;
  /** Steps that an earlier run finished; undefined for the first run. */
  completed?: ReadonlyMap<string, StepOutcome>;
  /** Ids of the running agents, from the outermost to this one. */
  ancestors: readonly string[];
};

/** The end of a run; `open` when another run continues the execution. */
export type RunEnd = { type: "finished"; finished: Finished } | { type: "open" };
