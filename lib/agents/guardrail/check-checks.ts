import { checkPattern } from "../../engine/guardrails/pattern.ts";
import type { GuardrailCheck } from "../../engine/guardrails/schemas.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type ValidationIssue, validationFailed } from "../../platform/http/problems.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { checkExpressions } from "../../values/expression/check-templates.ts";

/** Throws 400 with every problem of the checks of a guardrail. */
export const checkChecks = async (
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
      ...(check.action === "mask" && check.type === "Expression"
        ? [{ pointer: "/action", detail: "a check of type Expression can only block or flag" }]
        : []),
      ...(await checkMethod(check, processor)),
    ];
    errors.push(
      ...found.map(({ pointer, detail }) => ({ pointer: `/checks/${at}${pointer}`, detail })),
    );
  }
  if (errors.length > 0) throw validationFailed(errors);
};

const checkMethod = async (
  check: GuardrailCheck,
  processor: ProcessorBudget,
): Promise<ValidationIssue[]> => {
  switch (check.type) {
    case "Pii":
      return [];
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
  }
};
