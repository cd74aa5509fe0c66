import { withCompanions } from "../../platform/db/companion-writes.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { auditWrites } from "./audit-writes.ts";
import type { AuditContext } from "./describe-call.ts";
import type { AuditRecord } from "./schemas.ts";

/** The call of a tenant's caller. */
export type AuditedCall = AuditContext & { tenant: { id: TenantId } };

/**
 * Returns a handle on the table that stores a change's audit record in the transaction of its first write. For a call with
 * several kinds of changes, such as one by JSON-RPC; the edge does it for others.
 */
export const withAudit = (
  db: Database,
  ctx: AuditedCall,
  change: Pick<AuditRecord, "action" | "resource" | "changes">,
): Database => withCompanions(db, () => auditWrites(ctx, { tenantId: ctx.tenant.id, ...change }));
