import * as z from "zod";
import { OrganizationEvent } from "../platform/outbox/organization-event.ts";

/** Mails an approver who is named by an address about an approval that was requested. Idempotent. */
export const MailApproverMessage = z
  .object({ type: z.literal("mail-approver"), event: OrganizationEvent, address: z.string() })
  .meta({
    example: {
      type: "mail-approver",
      event: {
        id: "approval.requested:0193f0a0-7c4b-7000-8000-000000000008",
        type: "approval.requested",
        organizationId: "local",
        tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
        agentId: "hello",
        occurredAt: 1763596800000,
        data: { approvalId: "0193f0a0-7c4b-7000-8000-000000000008" },
      },
      address: "ada@example.com",
    },
  });
export type MailApproverMessage = z.output<typeof MailApproverMessage>;
