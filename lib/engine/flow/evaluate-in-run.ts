import { evaluateTemplates } from "../../values/expression/evaluate.ts";
import { holdsTemplate } from "../../values/expression/template-text.ts";
import type { Json, JsonObject } from "../../values/json/json.ts";
import { StepError } from "../step-error.ts";
import type { Run } from "./run.ts";

/** Evaluates the expressions in a value, with further names in `more`; undefined where it selects nothing. */
export const evaluateInRun = (
  run: Run,
  value: unknown,
  endsAt: number,
  more?: JsonObject,
): Promise<Json | undefined> => {
  const { options, state, signal, session, processor } = run;
  const scope = more ? { ...state.scope, ...more } : state.scope;
  if (!holdsTemplate(value)) {
    return evaluateTemplates(value, scope, { processor, clock: options.deps.clock });
  }
  return run.inTurn(async () => {
    signal.throwIfAborted();
    const { clock } = options.deps;
    const { maxResultBytes } = options.limits ?? {};
    const { sizes } = state;
    const limits = maxResultBytes === undefined ? {} : { maxResultBytes };
    const evaluation = { processor, session, sizes, clock, ...limits };
    const result = await evaluateTemplates(value, scope, evaluation);
    // Evaluating plain paths keeps timers from firing, so the deadline is checked here.
    if (clock() > options.deadline) run.stop("deadline");
    signal.throwIfAborted();
    if (clock() > endsAt)
      throw new StepError("execution-failed", "The step's expressions take too long.");
    return result;
  });
};
