import type { FoundText } from "./found-text.ts";
import { findMatches } from "./pattern.ts";
import { findPii } from "./pii.ts";
import { type GuardrailCheck, piiKinds } from "./schemas.ts";

/** A check of texts, which finds parts of them. */
export type TextCheck = Extract<GuardrailCheck, { type: "Pii" | "Pattern" }>;

/** Finds the parts of a text that a check is about. */
export const findInText = (check: TextCheck, text: string): FoundText[] =>
  check.type === "Pii" ? findPii(text, check.kinds ?? piiKinds) : findMatches(check.pattern, text);
