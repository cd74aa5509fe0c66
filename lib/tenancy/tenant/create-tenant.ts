import type { Database } from "../../platform/db/database.ts";
import { conflict } from "../../platform/http/problems.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { OrganizationContext } from "./context.ts";
import { defaultRetention } from "./retention.ts";
import type { CreateTenantBody, Tenant } from "./schemas.ts";
import { putNewTenant } from "./store.ts";

/**
 * Creates a tenant of the caller's organization. Throws 409 when the slug is taken in any
 * organization.
 */
export const createTenant = async (
  deps: { db: Database },
  {
    ctx,
    body,
  }: {
    ctx: Pick<OrganizationContext, "clock" | "randomBytes" | "principal">;
    body: CreateTenantBody;
  },
): Promise<Tenant> => {
  const now = ctx.clock();
  const tenant = {
    id: newUuid(ctx),
    ...body,
    organizationId: ctx.principal.organizationId,
    retention: defaultRetention,
    embedding: null,
    guardrails: [],
    createdAt: now,
    modifiedAt: now,
  };
  const outcome = await putNewTenant(deps.db, tenant);
  if (outcome === "taken") throw conflict(`The slug "${body.slug}" is taken. Choose another.`);
  return tenant;
};
