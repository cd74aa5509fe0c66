import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import { conflict, notFound } from "../../platform/http/problems.ts";
import type { TenantContext } from "./context.ts";
import { forgetOwner } from "./find-owner.ts";
import type { Tenant, UpdateTenantBody } from "./schemas.ts";
import { getTenant, putChangedTenant } from "./store.ts";

/** Changes a tenant's name, retention, embedding and guardrails. Throws 404. */
export const updateTenant = (
  { db }: { db: Database },
  { ctx, body }: { ctx: Pick<TenantContext, "clock" | "tenant">; body: UpdateTenantBody },
): Promise<Tenant> =>
  retryOnConflict({ maxPauseMs: 200, error: tooManyChanges }, async () => {
    const before = await getTenant(db, ctx.tenant.id);
    if (!before) throw notFound("tenant", ctx.tenant.id);
    const after: Tenant = {
      ...before,
      ...(body.displayName !== undefined && { displayName: body.displayName }),
      retention: { ...before.retention, ...body.retention },
      ...(body.embedding !== undefined && { embedding: body.embedding }),
      ...(body.guardrails !== undefined && { guardrails: body.guardrails }),
      modifiedAt: Math.max(ctx.clock(), before.modifiedAt + 1),
    };
    if ((await putChangedTenant(db, before, after)) === "changed") return "changed";
    forgetOwner(after);
    return after;
  });

const tooManyChanges = () => conflict("The tenant is changed by other requests. Try again.");
