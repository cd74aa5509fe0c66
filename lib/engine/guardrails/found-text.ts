/** A part of a text that a check found, from `start` up to `end`. */
export type FoundText = { readonly kind: string; readonly start: number; readonly end: number };

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
