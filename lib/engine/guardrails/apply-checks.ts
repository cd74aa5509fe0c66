import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { isUnavailable } from "../../platform/runtime/aws-retry.ts";
import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { evaluateExpression } from "../../values/expression/evaluate.ts";
import type { Json } from "../../values/json/json.ts";
import { type Blocked, StepError } from "../step-error.ts";
import type { AskService, Replacement, ServiceFinding } from "./ask-service.ts";
import { findInText } from "./find-in-text.ts";
import { maskFound } from "./found-text.ts";
import { mapTexts } from "./map-texts.ts";
import { replaceInValue } from "./replace-texts.ts";
import {
  type AppliedGuardrail,
  type CheckVerdict,
  type GuardedPlace,
  type GuardrailCheck,
  isOutside,
} from "./schemas.ts";

/** A value after its checks, masked where they mask. Not to be used if `blocked`. */
export type CheckedValue = {
  readonly value: Json;
  readonly verdicts: readonly CheckVerdict[];
  readonly blocked?: Blocked;
  /** Parts that services found, which are masked elsewhere as well. */
  readonly replacements: readonly Replacement[];
};

/** Checks that are applied: those that need no service, those that do, or both. */
export type Which = "local" | "outside" | "all";

type CheckDeps = {
  readonly processor: ProcessorBudget;
  readonly clock: () => number;
  /** Without it, checks that ask a service fail. */
  readonly ask: AskService | undefined;
};

/** Findings of a check; `masked` is the value without them. */
type Finding = ServiceFinding & { readonly masked?: Json };

/** The failure of a check; its message is public. */
type Failed = { readonly error: string };

/**
 * Applies the checks of a place in their order, the next one to what is left. The first that blocks ends them. Rejects when
 * storage is unavailable, or a budget refuses the call of a model.
 */
export const applyChecks = async (
  deps: CheckDeps,
  {
    place,
    value,
    guardrails,
    which = "all",
  }: {
    readonly place: GuardedPlace;
    readonly value: Json;
    readonly guardrails: readonly AppliedGuardrail[];
    readonly which?: Which;
  },
): Promise<CheckedValue> => {
  const verdicts: CheckVerdict[] = [];
  const replacements: Replacement[] = [];
  let current = value;
  for (const { id: guardrail, revision, checks } of guardrails) {
    for (const check of checks.filter((one) => one.on.includes(place) && isAmong(one, which))) {
      const finding = await find(check, { place, value: current }, deps).catch(toFailed);
      const outcome = toOutcome(check, finding);
      const applied = { guardrail, revision, check: check.id, type: check.type, outcome };
      verdicts.push({ ...applied, ...showFinding(finding) });
      if (outcome === "blocked") {
        return { value: null, verdicts, replacements, blocked: { guardrail, check: check.id } };
      }
      if (outcome === "masked" && !("error" in finding)) {
        current = finding.masked ?? current;
        replacements.push(...(finding.replacements ?? []));
      }
    }
  }
  return { value: current, verdicts, replacements };
};

/** Returns whether a check is one of those that are applied. */
export const isAmong = (check: GuardrailCheck, which: Which): boolean =>
  which === "all" || isOutside(check) === (which === "outside");

/** A check fails, unless its work can be repeated elsewhere, or its cost is refused. */
const toFailed = (error: unknown): Failed => {
  if (isUnavailable(error)) throw error;
  if (error instanceof StepError && error.slug === "budget-exceeded") throw error;
  const isPublic = error instanceof UpstreamError || error instanceof StepError;
  return { error: isPublic ? error.message : "The check failed." };
};

const showFinding = (
  finding: Finding | Failed,
): Pick<CheckVerdict, "found" | "score" | "error"> => {
  if ("error" in finding) return { found: [], error: finding.error };
  const { kinds, score } = finding;
  return { found: [...kinds], ...(score !== undefined && { score }) };
};

const outcomes = { block: "blocked", mask: "masked", flag: "flagged" } as const;

const toOutcome = (
  { action, onError, type }: GuardrailCheck,
  finding: Finding | Failed,
): CheckVerdict["outcome"] => {
  if ("error" in finding) return onError === "allow" ? "failed" : "blocked";
  if (!finding.applies) return "passed";
  const isUnmaskable = type === "Bedrock" && finding.masked === undefined;
  return action === "mask" && isUnmaskable ? "blocked" : outcomes[action];
};

/** Returns what a check finds in a value. Rejects when the check fails. */
const find = async (
  check: GuardrailCheck,
  { place, value }: { readonly place: GuardedPlace; readonly value: Json },
  deps: CheckDeps,
): Promise<Finding> => {
  if (isOutside(check)) {
    if (!deps.ask) throw new Error("no service can be asked");
    const finding = await deps.ask(check, { place, value });
    const { applies, replacements } = finding;
    if (!applies || check.action !== "mask" || !replacements) return finding;
    const masked = replaceInValue(value, replacements);
    return masked === undefined ? finding : { ...finding, masked };
  }
  if (check.type === "Expression") {
    const selected = await evaluateExpression(check.value, { value, on: place }, deps);
    return { applies: selected === true, kinds: [] };
  }
  const kinds = new Set<string>();
  const masked = mapTexts(value, (text) => {
    const found = findInText(check, text);
    for (const { kind } of found) kinds.add(kind);
    return maskFound(text, found);
  });
  return { applies: kinds.size > 0, kinds: [...kinds], masked };
};
