import { isDeepStrictEqual } from "node:util";
import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import { beingChanged, insufficientScope, notFound } from "../../platform/http/problems.ts";
import { hasScope } from "../../tenancy/collaborator/may.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { getTenant } from "../../tenancy/tenant/store.ts";
import { checkChecks } from "./check-checks.ts";
import type { Guardrail, UpdateGuardrailBody } from "./schemas.ts";
import { getGuardrail, putNextGuardrail } from "./store.ts";

/** Scope of who changes what applies to all agents of a tenant. */
const floorScope = "organization:write";

/**
 * Changes the members of a guardrail that were sent, in a new revision. Executions that start afterwards apply it. Throws 404,
 * 400 for a check that cannot be made, and 403 without `organization:write` for one that the tenant names for all its agents.
 */
export const updateGuardrail = (
  { db }: { db: Database },
  {
    ctx,
    guardrailId,
    body,
  }: {
    ctx: Pick<TenantContext, "clock" | "tenant" | "principal">;
    guardrailId: string;
    body: UpdateGuardrailBody;
  },
): Promise<Guardrail> =>
  retryOnConflict({ error: () => beingChanged("guardrail", guardrailId) }, async () => {
    const before = await getGuardrail(db, ctx.tenant.id, guardrailId);
    if (!before) throw notFound("guardrail", guardrailId);
    const { displayName = before.displayName, checks = before.checks } = body;
    if (isDeepStrictEqual({ ...before, displayName, checks }, before)) return before;
    const isFloor = (await getTenant(db, ctx.tenant.id))?.guardrails.includes(guardrailId);
    if (isFloor && !hasScope(ctx.principal, floorScope)) throw insufficientScope(floorScope);
    await checkChecks(db, ctx.tenant.id, checks);
    const modifiedAt = Math.max(ctx.clock(), before.modifiedAt + 1);
    const after = { ...before, displayName, checks, revision: before.revision + 1, modifiedAt };
    const outcome = await putNextGuardrail(db, ctx.tenant.id, before, after);
    return outcome === "written" ? after : "changed";
  });
