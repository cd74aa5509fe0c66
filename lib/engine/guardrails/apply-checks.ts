import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { evaluateExpression } from "../../values/expression/evaluate.ts";
import type { Json } from "../../values/json/json.ts";
import type { Blocked } from "../step-error.ts";
import { findInText } from "./find-in-text.ts";
import { maskFound } from "./found-text.ts";
import { mapTexts } from "./map-texts.ts";
import type { AppliedGuardrail, CheckVerdict, GuardedPlace, GuardrailCheck } from "./schemas.ts";

/** A value after its checks, masked where they mask. Not to be used if `blocked`. */
export type CheckedValue = {
  readonly value: Json;
  readonly verdicts: readonly CheckVerdict[];
  readonly blocked?: Blocked;
};

type CheckDeps = { readonly processor: ProcessorBudget; readonly clock: () => number };

/** Findings of a check; `masked` is the value without them. */
type Finding = { readonly kinds: readonly string[]; readonly masked?: Json };

/** Applies the checks of a place in their order, the next one to what is left. The first that blocks ends them. */
export const applyChecks = async (
  deps: CheckDeps,
  {
    place,
    value,
    guardrails,
  }: {
    readonly place: GuardedPlace;
    readonly value: Json;
    readonly guardrails: readonly AppliedGuardrail[];
  },
): Promise<CheckedValue> => {
  const verdicts: CheckVerdict[] = [];
  let current = value;
  for (const { id: guardrail, revision, checks } of guardrails) {
    for (const check of checks.filter(({ on }) => on.includes(place))) {
      const finding = await find(check, { place, value: current }, deps).catch(
        () => "failed" as const,
      );
      const outcome = toOutcome(check, finding);
      const found = finding === "failed" ? [] : [...(finding?.kinds ?? [])];
      verdicts.push({ guardrail, revision, check: check.id, type: check.type, outcome, found });
      if (outcome === "blocked") {
        return { value: null, verdicts, blocked: { guardrail, check: check.id } };
      }
      if (outcome === "masked" && finding !== "failed") current = finding?.masked ?? current;
    }
  }
  return { value: current, verdicts };
};

const outcomes = { block: "blocked", mask: "masked", flag: "flagged" } as const;

const toOutcome = (
  { action, onError }: GuardrailCheck,
  finding: Finding | "failed" | undefined,
): CheckVerdict["outcome"] => {
  if (finding === "failed") return onError === "allow" ? "failed" : "blocked";
  return finding ? outcomes[action] : "passed";
};

/** Returns what a check finds in a value; undefined for nothing. Rejects when the check fails. */
const find = async (
  check: GuardrailCheck,
  { place, value }: { readonly place: GuardedPlace; readonly value: Json },
  deps: CheckDeps,
): Promise<Finding | undefined> => {
  if (check.type === "Expression") {
    const selected = await evaluateExpression(check.value, { value, on: place }, deps);
    return selected === true ? { kinds: [] } : undefined;
  }
  const kinds = new Set<string>();
  const masked = mapTexts(value, (text) => {
    const found = findInText(check, text);
    for (const { kind } of found) kinds.add(kind);
    return maskFound(text, found);
  });
  return kinds.size > 0 ? { kinds: [...kinds], masked } : undefined;
};
