import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import type { Mark } from "../platform/sandbox/messages.ts";
import { isRecord } from "./json.ts";
import type { SchemaProblem } from "./json-schema.ts";
import { metaValidatorOf } from "./meta-schemas/validators.ts";

const maxProblems = 20;
const maxDetailLength = 300;

/** Validates a value against a schema, both as JSON text. Marks when both are parsed. */
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

/** Validates a schema, as JSON text, against the official meta-schema of its dialect. */
export function checkMetaSchemaTask({ schema }: { readonly schema: string }) {
  const value: unknown = JSON.parse(schema);
  const dialect = isRecord(value) ? value.$schema : undefined;
  const { valid, errors } = metaValidatorOf(dialect).validate(value);
  return valid ? [] : innermost(errors.filter(({ keyword }) => !wrappers.has(keyword)));
}

/** Keywords whose errors only say that a schema inside them has errors. */
const wrappers = new Set(["$ref", "allOf", "anyOf"]);

/** Selects the errors at the innermost invalid values, one for each. */
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
    const isLong = error.length > maxDetailLength;
    found.set(instanceLocation, isLong ? `${error.slice(0, maxDetailLength)}…` : error);
  }
  return [...found].map(([place, detail]) => ({ pointer: place.slice(1), detail }));
}
