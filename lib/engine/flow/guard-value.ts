import type { Json } from "../../values/json/json.ts";
import { blockedError } from "../guardrails/blocked-error.ts";
import type { Guard } from "../guardrails/guard.ts";
import type { GuardedPlace } from "../guardrails/schemas.ts";
import type { ChildSpans } from "./child-spans.ts";

/**
 * Checks a value within a step; the checks have a span below the step's. Returns the value as they leave it. Throws a
 * StepError `guardrail-blocked`.
 */
export const guardValue = async (
  guard: Guard | undefined,
  below: () => ChildSpans,
  place: GuardedPlace,
  value: Json,
): Promise<Json> => {
  if (!guard?.has(place)) return value;
  const span = below().openSpan({ type: "Guardrail", name: place, input: { on: place } });
  const { value: checked, verdicts, blocked } = await guard.check(place, value);
  span.close({ output: { verdicts: verdicts.map((verdict) => ({ ...verdict })) } });
  if (blocked) throw blockedError(place, blocked);
  return checked;
};
