import { piiKinds } from "./schemas.ts";

/** A part of a text that a check found, from `start` up to `end`. */
export type FoundText = { readonly kind: string; readonly start: number; readonly end: number };

/** Kind of what a Pattern check found. */
export const patternKind = "Pattern";

const masks = [...piiKinds, patternKind].map((kind) => `[${kind}]`);

const bedrockMask = "[Bedrock:";

/** Returns the mask of what a guardrail of Amazon Bedrock masks. */
export const toBedrockMask = (kind: string): string => `${bedrockMask}${kind}]`;

/** Returns whether a text contains a mask, which may stand for different texts. */
export const holdsMask = (text: string): boolean =>
  [...masks, bedrockMask].some((mask) => text.includes(mask));

/** Replaces what was found by `[kind]`; of overlapping parts the first one counts. */
export const maskFound = (text: string, found: readonly FoundText[]): string => {
  if (found.length === 0) return text;
  let masked = "";
  let from = 0;
  for (const { kind, start, end } of found.toSorted((one, other) => one.start - other.start)) {
    if (start >= from) masked += `${text.slice(from, start)}[${kind}]`;
    from = Math.max(from, end);
  }
  return masked + text.slice(from);
};
