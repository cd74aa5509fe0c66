import { checkPattern } from "../../engine/guardrails/pattern.ts";
import { type GuardrailCheck, isOutside } from "../../engine/guardrails/schemas.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type ValidationIssue, validationFailed } from "../../platform/http/problems.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { checkExpressions } from "../../values/expression/check-templates.ts";
import { findWrongProviders } from "./find-wrong-providers.ts";

/** Checks of a guardrail that ask a service. */
const maxOutside = 5;
/** Bytes of the JSON of a judge's parameters. */
const longestParameters = 65_536;

/** Throws 400 with every problem of the checks of a guardrail. */
export const checkChecks = async (
  db: Database,
  tenantId: TenantId,
  checks: readonly GuardrailCheck[],
): Promise<void> => {
  const processor = new ProcessorBudget(tenantId, processorLimits.requestMs);
  const errors: ValidationIssue[] = [];
  for (const [at, check] of checks.entries()) {
    const found = [
      ...(checks.findIndex(({ id }) => id === check.id) < at
        ? [{ pointer: "/id", detail: "is used twice" }]
        : []),
      ...checkAction(check),
      ...(await checkMethod(check, processor)),
    ];
    errors.push(
      ...found.map(({ pointer, detail }) => ({ pointer: `/checks/${at}${pointer}`, detail })),
    );
  }
  if (checks.filter(isOutside).length > maxOutside) {
    const detail = `may have at most ${maxOutside} checks of the types Judge, Moderation and Bedrock`;
    errors.push({ pointer: "/checks", detail });
  }
  errors.push(...(await findWrongProviders(db, tenantId, checks)));
  if (errors.length > 0) throw validationFailed(errors);
};

const checkAction = ({ action, type }: GuardrailCheck): ValidationIssue[] => {
  const masks = type === "Pii" || type === "Pattern" || type === "Bedrock";
  if (action !== "mask" || masks) return [];
  return [{ pointer: "/action", detail: `a check of type ${type} can only block or flag` }];
};

const checkMethod = async (
  check: GuardrailCheck,
  processor: ProcessorBudget,
): Promise<ValidationIssue[]> => {
  switch (check.type) {
    case "Pattern": {
      const detail = checkPattern(check.pattern);
      return detail === undefined ? [] : [{ pointer: "/pattern", detail }];
    }
    case "Expression": {
      const [checked] = await checkExpressions([check.value], processor);
      if (!checked || checked.ok) return [];
      const detail = `${checked.message} (at character ${checked.position}).`;
      return [{ pointer: "/value", detail }];
    }
    case "Judge": {
      const bytes = Buffer.byteLength(JSON.stringify(check.llm.parameters ?? null));
      if (bytes <= longestParameters) return [];
      const detail = `must have at most ${longestParameters} bytes of JSON`;
      return [{ pointer: "/llm/parameters", detail }];
    }
    case "Pii":
    case "Moderation":
    case "Bedrock":
      return [];
  }
};
