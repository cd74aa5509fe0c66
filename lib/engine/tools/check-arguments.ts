import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { isDeeperThan, type Json, type JsonObject, maxJsonDepth } from "../../values/json/json.ts";
import { checkSchema, readSchemaValue } from "../../values/json/json-schema.ts";
import type { SchemaProblem } from "../../values/json/schema-problem.ts";

/** Validates the arguments of a call against the JSON Schema that a model gets of the tool. */
export const checkArguments = async (
  schema: JsonObject,
  given: Json,
  processor: ProcessorBudget,
): Promise<readonly SchemaProblem[]> => {
  if (isDeeperThan(given, maxJsonDepth)) {
    return [{ pointer: "", detail: `must not be nested deeper than ${maxJsonDepth} levels` }];
  }
  const read = readSchemaValue(schema);
  // The schema of a remote tool may be wrong; the tool checks what it gets.
  return read.ok ? checkSchema(read.schema, given, processor) : [];
};
