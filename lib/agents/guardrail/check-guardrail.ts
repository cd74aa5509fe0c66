import * as z from "zod";
import { applyChecks } from "../../engine/guardrails/apply-checks.ts";
import type { Database } from "../../platform/db/database.ts";
import { notFound } from "../../platform/http/problems.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import type { CheckGuardrailBody } from "./schemas.ts";
import { getGuardrail } from "./store.ts";

/** Applies a guardrail's latest revision to a value, as an execution does. Nothing is stored. Throws 404. */
export const checkGuardrail = async (
  { db }: { db: Database },
  {
    ctx,
    guardrailId,
    body,
  }: {
    ctx: Pick<TenantContext, "clock" | "tenant">;
    guardrailId: string;
    body: CheckGuardrailBody;
  },
) => {
  const guardrail = await getGuardrail(db, ctx.tenant.id, guardrailId);
  if (!guardrail) throw notFound("guardrail", guardrailId);
  const processor = new ProcessorBudget(ctx.tenant.id, processorLimits.requestMs);
  const place = body.on;
  const value = z.json().parse(body.value ?? null);
  const checked = await applyChecks(
    { processor, clock: ctx.clock },
    { place, value, guardrails: [guardrail] },
  );
  return {
    blocked: checked.blocked !== undefined,
    value: checked.value,
    verdicts: [...checked.verdicts],
  };
};
