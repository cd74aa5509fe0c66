import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import type { ScopeSession } from "../../values/expression/evaluation-scope.ts";
import type { Json } from "../../values/json/json.ts";
import type { CompiledFlow } from "./compile-flow.ts";
import { emit } from "./emit.ts";
import type { FlowOptions, StepOutcome } from "./flow-result.ts";
import type { FlowState } from "./flow-state.ts";
import type { Activity } from "./idle.ts";
import type { Ledger } from "./ledger.ts";
import type { RunStop } from "./run-stop.ts";
import type { Suspensions } from "./suspensions.ts";

/** State shared by the steps of one run, or of one item of a ForEach. */
export type Run = {
  readonly flow: CompiledFlow;
  readonly options: FlowOptions;
  readonly state: FlowState;
  /** Session of the scope's values in the sandbox. */
  readonly session: ScopeSession;
  readonly processor: ProcessorBudget;
  /** Aborted when these steps must stop. */
  readonly signal: AbortSignal;
  readonly ledger: Ledger;
  readonly activity: Activity;
  readonly suspensions: Suspensions;
  /** Outputs of the items that this run finished, by the items' step ids. */
  readonly items: Map<string, { readonly output: Json }>;
  /** Leaves the slot of the item to another one, since it waits; absent outside a ForEach. */
  readonly leaveSlot?: () => void;
  /** Stops the whole run; only the first call has an effect. */
  stop(kind: RunStop["kind"]): void;
  /** Runs evaluations one after another, so that every evaluation has its full time limit. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
};

/** Position of a step in a run, and the parent span of its attempts. */
export type Address = {
  readonly stepId: string;
  /** Span id of the first attempt. */
  readonly spanId: string;
  readonly parentId: string | null;
  /** Position of the item, for the inner step of a ForEach. */
  readonly index?: number;
};

/** Records a finished step. Rejects, and stops the run, when its checkpoint cannot be written. */
export const finishStep = async (run: Run, outcome: StepOutcome): Promise<void> => {
  const { stepId, output, spans } = outcome;
  run.ledger.add(spans);
  if (run.options.onStepCompleted) await keep(run, outcome);
  if (outcome.isFailed) return;
  emit(run, { type: "step.completed", stepId, output });
};

const keep = async ({ options, ledger, stop }: Run, outcome: StepOutcome): Promise<void> => {
  try {
    await options.onStepCompleted?.(outcome);
  } catch (error) {
    ledger.fault ??= { error };
    stop("failed");
    throw error;
  }
};
