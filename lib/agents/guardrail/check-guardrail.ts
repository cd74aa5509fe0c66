import * as z from "zod";
import { createRunServices } from "../../engine/flow/checks/run-services.ts";
import { sumUsage, totalUsage } from "../../engine/flow/sum-usage.ts";
import { createGuard } from "../../engine/guardrails/guard.ts";
import { isOutside } from "../../engine/guardrails/schemas.ts";
import { insufficientScope, notFound } from "../../platform/http/problems.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { hasScope } from "../../tenancy/collaborator/may.ts";
import { type ProviderDeps, providerRegistry } from "../../tenancy/llm-provider/registry.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import type { CheckGuardrailBody } from "./schemas.ts";
import { getGuardrail } from "./store.ts";

/** Reserved for sending the response. */
const responseReserveMs = 3_000;

/** Applies a guardrail's latest revision to a value, as an execution does. Nothing is stored. Throws 404, and 403 where services are
 * asked for a caller without `agents:test`. */
export const checkGuardrail = async (
  deps: ProviderDeps,
  {
    ctx,
    guardrailId,
    body,
  }: {
    ctx: Pick<TenantContext, "clock" | "tenant" | "principal" | "respondBy">;
    guardrailId: string;
    body: CheckGuardrailBody;
  },
) => {
  const { tenant, principal, clock, respondBy } = ctx;
  const guardrail = await getGuardrail(deps.db, tenant.id, guardrailId);
  if (!guardrail) throw notFound("guardrail", guardrailId);
  const asksServices = guardrail.checks.some(
    (check) => isOutside(check) && check.on.includes(body.on),
  );
  if (asksServices && !hasScope(principal, "agents:test")) throw insufficientScope("agents:test");
  const processor = new ProcessorBudget(tenant.id, processorLimits.requestMs);
  const services = createRunServices("~check", {
    models: providerRegistry({ ...deps, tenantId: tenant.id }),
    processor,
    signal: AbortSignal.timeout(Math.max(0, respondBy - responseReserveMs - clock())),
    hide: (value) => value,
    ...{ spend: undefined, spent: 0, clock },
  });
  const { ask } = services;
  const value = z.json().parse(body.value ?? null);
  const guard = createGuard({ processor, clock }, [guardrail]);
  const checked = await guard?.check(body.on, value, { ask });
  const models = sumUsage(await services.end());
  return {
    blocked: checked?.blocked !== undefined,
    value: checked ? checked.value : value,
    verdicts: [...(checked?.verdicts ?? [])],
    cost: totalUsage(models).cost.totalCost,
  };
};
