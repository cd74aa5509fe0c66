import type { TransactionWrite } from "../../platform/db/transact.ts";
import { putInOutbox } from "../../platform/outbox/outbox-store.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { type AuditContext, describeCall } from "./describe-call.ts";
import type { AuditRecord } from "./schemas.ts";
import { putAuditRecord } from "./store.ts";

/** Builds the writes of a change's audit record and its event, for the transaction of the change. */
export const auditWrites = (
  ctx: AuditContext,
  change: Pick<AuditRecord, "tenantId" | "action" | "resource" | "changes">,
): TransactionWrite[] => {
  const { organizationId } = ctx.principal;
  const record = { id: newUuid(ctx), ...describeCall(ctx), ...change, createdAt: ctx.clock() };
  return [
    putAuditRecord(organizationId, record),
    putInOutbox({
      id: `audit.recorded:${record.id}`,
      type: "audit.recorded",
      organizationId,
      tenantId: null,
      agentId: null,
      occurredAt: record.createdAt,
      data: record,
    }),
  ];
};
