import { TenantId } from "../../lib/platform/db/tenant-id.ts";
import { ProcessorBudget } from "../../lib/platform/sandbox/processor-budget.ts";
import type { Sandbox } from "../../lib/platform/sandbox/sandbox.ts";

/** The tenant of tests in which only one takes part. */
export const oneTenantId = TenantId.parse("0199b2f0-0000-7000-8000-000000000001");

/** Returns a processor budget of one tenant. */
export const testProcessor = (totalMs = 1_000_000, sandbox?: Sandbox): ProcessorBudget =>
  new ProcessorBudget(oneTenantId, totalMs, sandbox);
