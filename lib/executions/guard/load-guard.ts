import { getGuardrails } from "../../agents/guardrail/store.ts";
import { createGuard, type Guard } from "../../engine/guardrails/guard.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { findOwner } from "../../tenancy/tenant/find-owner.ts";
import type { ExecutionDeps } from "../job/job.ts";

/**
 * Loads the guardrails of a revision, those of its tenant first, in their latest revisions; undefined for none. One that does
 * not exist blocks everything.
 */
export const loadGuard = async (
  { db, runtime }: Pick<ExecutionDeps, "db" | "runtime">,
  {
    tenantId,
    guardrails,
    processor,
  }: { tenantId: TenantId; guardrails: readonly string[]; processor: ProcessorBudget },
): Promise<Guard | undefined> => {
  const owner = await findOwner(db, tenantId, runtime.clock());
  const ids = [...new Set([...(owner?.guardrails ?? []), ...guardrails])];
  if (ids.length === 0) return undefined;
  const found = await getGuardrails(db, tenantId, ids);
  const missing = ids.find((_id, at) => !found[at]);
  if (missing !== undefined) return missingGuard(missing);
  const present = found.filter((guardrail) => guardrail !== undefined);
  return createGuard({ processor, clock: runtime.clock }, present);
};

const missingGuard = (guardrail: string): Guard => ({
  has: () => true,
  check: async () => ({
    value: null,
    verdicts: [],
    replacements: [],
    blocked: { guardrail, check: "" },
  }),
  mask: (value) => value,
});
