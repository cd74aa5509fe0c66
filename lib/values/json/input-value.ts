import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { checkSchema, readSchema } from "./json-schema.ts";
import { findMisfit } from "./parameter-value.ts";
import type { ParameterDescriptor } from "./parameters.ts";
import type { SchemaProblem } from "./schema-problem.ts";

/** Validates a value for a parameter, without conversion. */
export const checkValue = async (
  descriptor: ParameterDescriptor,
  value: unknown,
  processor: ProcessorBudget,
): Promise<readonly SchemaProblem[]> => {
  const detail = findMisfit(descriptor, value);
  if (detail !== undefined) return [{ pointer: "", detail }];
  if (descriptor.jsonSchema === null) return [];
  const read = readSchema(descriptor.jsonSchema);
  return read.ok
    ? checkSchema(read.schema, value, processor)
    : [{ pointer: "", detail: `has a jsonSchema that ${read.detail}` }];
};
