import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import { beingChanged, conflict, notFound } from "../../platform/http/problems.ts";
import { enqueueEvent } from "../../platform/outbox/enqueue-event.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import type { ReplyToChatMessage } from "../messages.ts";
import { accessDecided } from "./access-events.ts";
import type { AccessRequestItem, ChatUserItem } from "./items.ts";
import { readKeptMessage } from "./kept-message.ts";
import { getRequestToDecide, putDecision } from "./request-store.ts";
import { sendSoon } from "./send-approved-messages.ts";
import { getChatUser } from "./user-store.ts";

/** Wait of a rejected user until a message creates a new request. */
const rejectedForMs = 24 * 3_600_000;

/**
 * Approves or rejects an access request; one of several concurrent decisions wins. After an
 * approval, the message that created the request gets its reply even if this call crashes right
 * after the write. Throws 404 for an unknown agent or request and 409 for a decided one.
 */
export const decideAccessRequest = async (
  { db, send }: { db: Database; send: Send },
  {
    ctx,
    ...input
  }: {
    ctx: Pick<TenantContext, "clock" | "tenant" | "principal">;
    agentId: string;
    accessRequestId: string;
    decision: "Approved" | "Rejected";
    note: string | null;
  },
): Promise<AccessRequestItem> => {
  const { tenant, principal } = ctx;
  return retryOnConflict(
    {
      error: () => beingChanged("access request", input.accessRequestId),
    },
    async () => {
      const { pending, before, message } = await loadPending(db, tenant.id, input);
      const now = ctx.clock();
      const request: AccessRequestItem = {
        ...pending,
        status: input.decision,
        processedBy: principal.id,
        processedAt: now,
        processingNote: input.note,
        modifiedAt: now,
      };
      const user = userAfter(before, input.decision, now);
      const event = accessDecided(tenant.organizationId, request);
      const approved =
        input.decision === "Approved" && message !== undefined
          ? approvedMessage(tenant, request, message)
          : undefined;
      const outcome = await putDecision(db, { request, user, before, approved, event });
      if (outcome === "changed") return outcome;
      await Promise.all([enqueueEvent(send, event), approved && sendSoon({ db, send }, approved)]);
      return request;
    },
  );
};

const loadPending = async (
  db: Database,
  tenantId: AccessRequestItem["tenantId"],
  { agentId, accessRequestId }: { agentId: string; accessRequestId: string },
) => {
  const found = await getRequestToDecide(db, tenantId, agentId, accessRequestId);
  if (!found.agentExists) throw notFound("agent", agentId);
  const { request, message } = found;
  if (!request) throw notFound("access request", accessRequestId);
  if (request.status !== "Pending") {
    const decided = request.status === "Approved" ? "approved" : "rejected";
    throw conflict(`The access request "${accessRequestId}" is already ${decided}.`);
  }
  const before = await getChatUser(db, tenantId, agentId, request.chatUserId);
  if (before?.pendingRequestId !== accessRequestId) {
    throw beingChanged("access request", accessRequestId);
  }
  return { pending: request, before, message };
};

const userAfter = (
  { pendingRequestId: _, ...user }: ChatUserItem,
  decision: "Approved" | "Rejected",
  now: number,
): ChatUserItem =>
  decision === "Approved"
    ? { ...user, status: "Active", modifiedAt: now }
    : { ...user, mayAskAt: now + rejectedForMs, modifiedAt: now };

/** Uses the request's id, so that sending it twice is deduplicated. */
const approvedMessage = (
  tenant: TenantContext["tenant"],
  { id, connectorId }: AccessRequestItem,
  message: string,
): ReplyToChatMessage => ({
  type: "reply-to-chat",
  tenantId: tenant.id,
  organizationId: tenant.organizationId,
  connectorId,
  id,
  admitted: true,
  message: readKeptMessage(message),
});
