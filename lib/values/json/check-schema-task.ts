import { type Schema, Validator } from "@cfworker/json-schema";
import type { Mark } from "../../platform/sandbox/messages.ts";
import { innermost, type SchemaProblem } from "./schema-problem.ts";

/** Validates a value against a schema, both as JSON text. Marks when both are parsed. */
export const run = (
  input: { readonly schema: string; readonly value: string },
  mark: Mark,
): readonly SchemaProblem[] => {
  const schema: Schema | boolean = JSON.parse(input.schema);
  const value: unknown = JSON.parse(input.value);
  mark("read");
  try {
    const { valid, errors } = new Validator(schema, "2020-12", false).validate(value);
    return valid ? [] : innermost(errors);
  } catch {
    return [{ pointer: "", detail: "can't be checked against its jsonSchema" }];
  }
};
