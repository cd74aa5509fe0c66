import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type ValidationIssue, validationFailed } from "../../platform/http/problems.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { checkSchema, readSchemaValue } from "../../values/json/json-schema.ts";
import type { DatasetItem } from "./dataset-item.ts";

const maxErrors = 50;

/** An input and its place in the request. */
export type PlacedInput = { input: unknown; pointer: string };

/** Checks inputs against the dataset's `inputSchema`. Throws 400 with a pointer for each wrong value, at most 50. */
export const checkExampleInputs = async (
  tenantId: TenantId,
  { inputSchema }: Pick<DatasetItem, "inputSchema">,
  inputs: readonly PlacedInput[],
): Promise<void> => {
  if (inputSchema === null) return;
  const read = readSchemaValue(inputSchema);
  if (!read.ok) throw new Error(`a stored inputSchema ${read.detail}`);
  const processor = new ProcessorBudget(tenantId, processorLimits.requestMs);
  const errors: ValidationIssue[] = [];
  for (const { input, pointer } of inputs) {
    const problems = await checkSchema(read.schema, input, processor);
    errors.push(...problems.map(({ pointer: at, detail }) => ({ pointer: pointer + at, detail })));
    if (errors.length >= maxErrors) break;
  }
  if (errors.length > 0) throw validationFailed(errors.slice(0, maxErrors));
};
