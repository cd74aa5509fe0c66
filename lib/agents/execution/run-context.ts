import type { FlowEvent, StepOutcome } from "../../engine/flow/flow-result.ts";
import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import type { Finished } from "./finish-execution.ts";
import type { StepKeeper } from "./step-keeper.ts";

/** State shared by all runs in one function call: a run and those of its sub-agents. */
export type RunContext = {
  steps: StepKeeper;
  /** Processor budget of their expressions and schemas. */
  processor: ProcessorBudget;
  /** Aborted when the run must stop so that another can resume it. */
  handOver: AbortSignal;
  /** Hands the whole run over after a storage failure, without cancelling its sub-agents. */
  abortRun: () => void;
  /** Aborted when another run holds the execution: nothing may be written any more. */
  lost: AbortSignal;
};

/** Options of one run of an execution. */
export type RunOptions = {
  course: RunContext;
  /** Aborted when the execution is cancelled. */
  cancel: AbortSignal;
  emit?: (event: FlowEvent) => void;
  /** Steps that an earlier run finished; undefined for the first run. */
  completed?: ReadonlyMap<string, StepOutcome>;
  /** Ids of the running agents, from the outermost to this one. */
  ancestors: readonly string[];
};

/** The end of a run; `open` when another run continues the execution. */
export type RunEnd = { type: "finished"; finished: Finished } | { type: "open" };
