import type { Json } from "../../values/json/json.ts";
import type { AskService } from "../guardrails/ask-service.ts";
import { blockedError } from "../guardrails/blocked-error.ts";
import type { Guard } from "../guardrails/guard.ts";
import type { GuardedPlace } from "../guardrails/schemas.ts";
import type { ChildSpans } from "./child-spans.ts";

/** The guardrails of a step, and the services that they ask. */
type StepGuard = {
  readonly guard: Guard | undefined;
  /** Spans below the step's. */
  readonly below: () => ChildSpans;
  readonly ask: AskService;
};

/**
 * Checks a value within a step; the checks have a span below the step's. Returns the value as they leave it. Throws a
 * StepError `guardrail-blocked`.
 */
export const guardValue = async (
  { guard, below, ask }: StepGuard,
  place: GuardedPlace,
  value: Json,
): Promise<Json> => {
  if (!guard?.has(place)) return value;
  const span = below().openSpan({ type: "Guardrail", name: place, input: { on: place } });
  const {
    value: checked,
    verdicts,
    blocked,
  } = await guard.check(place, value, { ask }).catch((error: unknown) => {
    span.close({ error });
    throw error;
  });
  span.close({ output: { verdicts: verdicts.map((verdict) => ({ ...verdict })) } });
  if (blocked) throw blockedError(place, blocked);
  return checked;
};
