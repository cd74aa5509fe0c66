import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import type { SchemaProblem } from "../../json/json-schema.ts";
import type { Mark } from "../../platform/sandbox/messages.ts";

const maxProblems = 20;

/** Checks a value against a schema, both as JSON. Marks when both are read. */
export function checkSchemaTask(
  input: { readonly schema: string; readonly value: string },
  mark: Mark,
): readonly SchemaProblem[] {
  const schema: Schema | boolean = JSON.parse(input.schema);
  const value: unknown = JSON.parse(input.value);
  mark("read");
  try {
    const { valid, errors } = new Validator(schema, "2020-12", false).validate(value);
    return valid ? [] : innermost(errors);
  } catch {
    return [{ pointer: "", detail: "can't be checked against its jsonSchema" }];
  }
}

/** The errors of the parts that are wrong, without those of the parts around them. */
function innermost(errors: readonly OutputUnit[]): SchemaProblem[] {
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
    found.set(instanceLocation, error.length > 300 ? `${error.slice(0, 300)}…` : error);
  }
  return [...found].map(([place, detail]) => ({ pointer: place.slice(1), detail }));
}
