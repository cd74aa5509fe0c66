import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import type { Json } from "../../values/json/json.ts";
import { applyChecks, type CheckedValue, isAmong, type Which } from "./apply-checks.ts";
import type { AskService, Replacement } from "./ask-service.ts";
import { findInText, type TextCheck } from "./find-in-text.ts";
import { maskFound } from "./found-text.ts";
import { mapTexts } from "./map-texts.ts";
import { replaceInText } from "./replace-texts.ts";
import { type AppliedGuardrail, type GuardedPlace, isOutside } from "./schemas.ts";

/** Options of checking a value. */
export type CheckOptions = {
  /** Without it, checks that ask a service fail. */
  readonly ask?: AskService;
  /** Default: all checks of the place. */
  readonly which?: Which;
};

/** The guardrails of an execution. */
export type Guard = {
  /** Returns whether a check is applied at a place. */
  has(place: GuardedPlace, which?: Which): boolean;
  /** Checks a value. Rejects only when storage is unavailable, or a budget refuses the call of a model. */
  check(place: GuardedPlace, value: Json, options?: CheckOptions): Promise<CheckedValue>;
  /** Masks in a value what checks with the action `mask` find, or have found with a service, wherever they are applied. */
  mask(value: Json): Json;
};

/** Questions to outside services by one guard. */
const maxAsked = 200;
/** Parts that services found, which are masked elsewhere as well. */
const maxReplacements = 1_000;

/** Creates the guard of guardrails; undefined for none. */
export const createGuard = (
  deps: { readonly processor: ProcessorBudget; readonly clock: () => number },
  guardrails: readonly AppliedGuardrail[],
): Guard | undefined => {
  const checks = guardrails.flatMap((guardrail) => guardrail.checks);
  if (checks.length === 0) return undefined;
  const masks = checks.flatMap((check): TextCheck[] =>
    check.action === "mask" && check.type !== "Expression" && !isOutside(check) ? [check] : [],
  );
  const replacements = new Map<string, string>();
  const limited = limitQuestions();
  const maskText = (text: string) =>
    masks.reduce(
      (shown, check) => maskFound(shown, findInText(check, shown)),
      replaceInText(text, [...replacements]),
    );
  const learn = (found: readonly Replacement[]) => {
    for (const [match, mask] of found) {
      if (replacements.size < maxReplacements) replacements.set(match, mask);
    }
  };
  return {
    has: (place, which = "all") =>
      checks.some((check) => check.on.includes(place) && isAmong(check, which)),
    check: async (place, value, { ask, which } = {}) => {
      const checking = { ...deps, ask: ask && limited(ask) };
      const applied = { place, value, guardrails, ...(which && { which }) };
      const checked = await applyChecks(checking, applied);
      learn(checked.replacements);
      return checked;
    },
    mask: (value) =>
      masks.length === 0 && replacements.size === 0 ? value : mapTexts(value, maskText),
  };
};

/** Limits the questions to services; a check fails that has none left. */
const limitQuestions = () => {
  let asked = 0;
  return (ask: AskService): AskService =>
    async (check, about) => {
      asked += 1;
      if (asked > maxAsked) throw new Error(`more than ${maxAsked} questions`);
      return ask(check, about);
    };
};

/** Masks in a text what a guard's checks mask. */
export const maskText = ({ mask }: Pick<Guard, "mask">, text: string): string => {
  const masked = mask(text);
  return typeof masked === "string" ? masked : "";
};
