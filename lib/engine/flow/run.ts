import type { ScopeSession } from "../../expression/evaluation-scope.ts";
import type { Json } from "../../json/json.ts";
import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import type { CompiledFlow } from "./compile-flow.ts";
import { emit } from "./emit.ts";
import type { FlowOptions, StepOutcome } from "./flow-result.ts";
import type { FlowState } from "./flow-state.ts";
import type { Ledger } from "./ledger.ts";
import type { RunStop } from "./run-stop.ts";

/** What the steps of one run share, or those for one item of a ForEach. */
export type Run = {
  readonly flow: CompiledFlow;
  readonly options: FlowOptions;
  readonly state: FlowState;
  /** The scope's values, as the sandbox knows them. */
  readonly session: ScopeSession;
  readonly processor: ProcessorBudget;
  /** Aborted when these steps must stop. */
  readonly signal: AbortSignal;
  readonly ledger: Ledger;
  /** Outputs of the items that this run finished, by the items' step ids. */
  readonly items: Map<string, { readonly output: Json }>;
  /** Ends the whole run; only the first call counts. */
  stop(kind: RunStop["kind"]): void;
  /** Evaluations follow one another, so that each has the whole of its time. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
};

/** Where a step stands in a run, and the span that its attempts are below. */
export type Address = {
  readonly stepId: string;
  /** The id of the first attempt's span. */
  readonly spanId: string;
  readonly parentId: string | null;
};

/** Takes note of a finished step. Rejects, and ends the run, when its checkpoint can't be written. */
export async function finishStep(run: Run, outcome: StepOutcome): Promise<void> {
  const { stepId, output, spans } = outcome;
  run.ledger.add(spans);
  if (run.options.onStepCompleted) await keep(run, outcome);
  emit(run, { type: "step.completed", stepId, output });
}

async function keep({ options, ledger, stop }: Run, outcome: StepOutcome): Promise<void> {
  try {
    await options.onStepCompleted?.(outcome);
  } catch (error) {
    ledger.fault ??= { error };
    stop("failed");
    throw error;
  }
}
