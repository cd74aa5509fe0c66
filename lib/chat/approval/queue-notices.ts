import * as z from "zod";
import type { MailApproverMessage } from "../../approvals/messages.ts";
import { getApproval } from "../../executions/approvals/approval-store.ts";
import type { Database } from "../../platform/db/database.ts";
import {
  approvalCancelledType,
  type OrganizationEvent,
} from "../../platform/outbox/organization-event.ts";
import type { Send, SendMany } from "../../platform/queue/send.ts";
import type { ShowApprovalMessage } from "../messages.ts";

const types: ReadonlySet<OrganizationEvent["type"]> = new Set([
  "approval.requested",
  "approval.decided",
  "approval.timed_out",
  approvalCancelledType,
]);

const Data = z.object({ approvalId: z.string() });

/**
 * Queues what an event about an approval changes for its approvers outside: the message in a chat, and a mail for each
 * address that is asked. Idempotent.
 */
export const queueApprovalNotices = async (
  { db, send, sendMany }: { db: Database; send: Send; sendMany: SendMany },
  event: OrganizationEvent,
): Promise<void> => {
  const { tenantId, type, organizationId } = event;
  if (tenantId === null || !types.has(type)) return;
  const { approvalId } = Data.parse(event.data);
  const { chat, emails = [] } = (await getApproval(db, tenantId, approvalId))?.approvers ?? {};
  if (chat) {
    const show: ShowApprovalMessage = { type: "show-approval", tenantId, approvalId };
    await send("chats", approvalId, show);
  }
  if (type !== "approval.requested" || emails.length === 0) return;
  const addresses = [...new Set(emails.map((email) => email.toLowerCase()))];
  const mails = addresses.map(
    (address): MailApproverMessage => ({ type: "mail-approver", event, address }),
  );
  await sendMany("mails", organizationId, mails);
};
