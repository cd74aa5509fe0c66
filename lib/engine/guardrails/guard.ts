import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import type { Json } from "../../values/json/json.ts";
import { applyChecks, type CheckedValue } from "./apply-checks.ts";
import { findInText, type TextCheck } from "./find-in-text.ts";
import { maskFound } from "./found-text.ts";
import { mapTexts } from "./map-texts.ts";
import type { AppliedGuardrail, GuardedPlace } from "./schemas.ts";

/** The guardrails of an execution. */
export type Guard = {
  /** Returns whether a check is applied at a place. */
  has(place: GuardedPlace): boolean;
  /** Checks a value. Never throws for a check that fails. */
  check(place: GuardedPlace, value: Json): Promise<CheckedValue>;
  /** Masks in a value what checks with the action `mask` find, wherever they are applied. */
  mask(value: Json): Json;
};

/** Creates the guard of guardrails; undefined for none. */
export const createGuard = (
  deps: { readonly processor: ProcessorBudget; readonly clock: () => number },
  guardrails: readonly AppliedGuardrail[],
): Guard | undefined => {
  const checks = guardrails.flatMap((guardrail) => guardrail.checks);
  if (checks.length === 0) return undefined;
  const masks = checks.flatMap((check): TextCheck[] =>
    check.action === "mask" && check.type !== "Expression" ? [check] : [],
  );
  const maskText = (text: string) =>
    masks.reduce((shown, check) => maskFound(shown, findInText(check, shown)), text);
  return {
    has: (place) => checks.some(({ on }) => on.includes(place)),
    check: (place, value) => applyChecks(deps, { place, value, guardrails }),
    mask: (value) => (masks.length === 0 ? value : mapTexts(value, maskText)),
  };
};

/** Masks in a text what a guard's checks mask. */
export const maskText = ({ mask }: Pick<Guard, "mask">, text: string): string => {
  const masked = mask(text);
  return typeof masked === "string" ? masked : "";
};
