import type { OutputUnit } from "@cfworker/json-schema";

/** A violation of a schema, with a JSON pointer into the value. */
export type SchemaProblem = { readonly pointer: string; readonly detail: string };

const maxProblems = 20;
const maxDetailLength = 300;

/** Selects the errors at the innermost invalid values, one per value. */
export const innermost = (errors: readonly OutputUnit[]): SchemaProblem[] => {
  const places = new Set(errors.map(({ instanceLocation }) => instanceLocation));
  const outer = new Set<string>();
  for (const place of places) {
    for (let end = place.lastIndexOf("/"); end > 0; end = place.lastIndexOf("/", end - 1)) {
      outer.add(place.slice(0, end));
    }
  }
  const found = new Map<string, string>();
  for (const { instanceLocation, error } of errors) {
    if (found.size >= maxProblems) break;
    if (outer.has(instanceLocation) || found.has(instanceLocation)) continue;
    const isLong = error.length > maxDetailLength;
    found.set(instanceLocation, isLong ? `${error.slice(0, maxDetailLength)}…` : error);
  }
  return [...found].map(([place, detail]) => ({ pointer: place.slice(1), detail }));
};
