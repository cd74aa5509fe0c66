import type { Database } from "../../platform/db/database.ts";
import { conflict, notFound } from "../../platform/http/problems.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { getTenant } from "../../tenancy/tenant/store.ts";
import { removeGuardrail } from "./store.ts";

/**
 * Deletes a guardrail. Executions of revisions that name it fail afterwards. Throws 404, and 409 while the tenant names it for
 * all its agents.
 */
export const deleteGuardrail = async (
  { db }: { db: Database },
  { ctx, guardrailId }: { ctx: Pick<TenantContext, "tenant">; guardrailId: string },
): Promise<void> => {
  const tenant = await getTenant(db, ctx.tenant.id);
  if (tenant?.guardrails.includes(guardrailId)) {
    throw conflict(
      `The tenant's settings name the guardrail "${guardrailId}" for all agents. Remove it there first.`,
    );
  }
  if (await removeGuardrail(db, ctx.tenant.id, guardrailId)) return;
  throw notFound("guardrail", guardrailId);
};
