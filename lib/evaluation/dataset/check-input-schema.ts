import type { TenantId } from "../../platform/db/tenant-id.ts";
import { validationFailed } from "../../platform/http/problems.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { checkMetaSchema, readSchemaValue } from "../../values/json/json-schema.ts";
import type { Dataset } from "./schemas.ts";

/** Checks that an `inputSchema` of a request is a JSON Schema. Throws 400. */
export const checkInputSchema = async (
  tenantId: TenantId,
  schema: Dataset["inputSchema"] | undefined,
): Promise<void> => {
  if (!schema) return;
  const read = readSchemaValue(schema);
  if (!read.ok) throw validationFailed([{ pointer: "/inputSchema", detail: read.detail }]);
  const problems = await checkMetaSchema(
    read.schema,
    new ProcessorBudget(tenantId, processorLimits.requestMs),
  );
  if (problems.length === 0) return;
  throw validationFailed(
    problems.map(({ pointer, detail }) => ({
      pointer: `/inputSchema${pointer}`,
      detail: `is not a JSON Schema: ${detail}`,
    })),
  );
};
