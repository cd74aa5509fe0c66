import { findTenant } from "../tenancy/tenant/find-tenant.ts";
import type { InTenant, Link } from "./context.ts";
import type { Row } from "./route.ts";

/** Finds the tenant that the path names. Throws 404, also for another organization's. */
export const resolveTenant = (row: Pick<Row, "path">): Link<InTenant> => {
  const hasTenant = row.path.includes("{tenant}");
  return {
    before: async ({ context }) => {
      if (!hasTenant) return;
      const { database, pathValues, principal, ids, call } = context;
      context.tenant = await findTenant(
        database(),
        pathValues.tenant ?? "",
        principal,
        call.startedAt,
      );
      ids.tenantId = context.tenant.id;
    },
  };
};
