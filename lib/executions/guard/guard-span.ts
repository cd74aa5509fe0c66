import { emptySpan } from "../../engine/flow/child-spans.ts";
import type { Span } from "../../engine/flow/flow-result.ts";
import type { CheckVerdict, GuardedPlace } from "../../engine/guardrails/schemas.ts";

/** Creates the span of the checks of an execution's input or output. No step id starts with `~`. */
export const createGuardSpan = (
  id: `~${string}`,
  place: GuardedPlace,
  { verdicts, start, end }: { verdicts: readonly CheckVerdict[]; start: number; end: number },
): Span => ({
  ...emptySpan,
  id,
  parentId: null,
  stepId: id,
  name: place,
  type: "Guardrail",
  startTime: start,
  endTime: end,
  status: "Succeeded",
  input: { on: place },
  output: { verdicts: verdicts.map((verdict) => ({ ...verdict })) },
});
