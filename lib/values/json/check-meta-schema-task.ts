import { isRecord } from "./json.ts";
import { selectMetaValidator } from "./meta-schemas/validators.ts";
import { innermost, type SchemaProblem } from "./schema-problem.ts";

/** Validates a schema, as JSON text, against the official meta-schema of its dialect. */
export const run = ({ schema }: { readonly schema: string }): readonly SchemaProblem[] => {
  const value: unknown = JSON.parse(schema);
  const dialect = isRecord(value) ? value.$schema : undefined;
  const { valid, errors } = selectMetaValidator(dialect).validate(value);
  return valid ? [] : innermost(errors.filter(({ keyword }) => !wrappers.has(keyword)));
};

/** Keywords with errors that only refer to errors of a schema inside them. */
const wrappers = new Set(["$ref", "allOf", "anyOf"]);
