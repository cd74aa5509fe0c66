import * as z from "zod";
import { TenantId } from "../platform/db/tenant-id.ts";
import { Uuid } from "../platform/http/ids.ts";
import { TraceContext } from "../platform/tracing/trace-context.ts";
import { ChatMessage, PostedMessage } from "../vendors/chat-message.ts";

/** Purges a deleted connector's chat users and conversations. Idempotent. */
export const PurgeConnectorMessage = z.object({
  type: z.literal("purge-connector"),
  tenantId: TenantId,
  agentId: z.string(),
  connectorId: Uuid,
});
export type PurgeConnectorMessage = z.output<typeof PurgeConnectorMessage>;

/**
 * Requests a reply to a chat user's message. Messages of one conversation are handled in order:
 * their message group is `chatGroup`. Idempotent.
 */
export const ReplyToChatMessage = z
  .object({
    type: z.literal("reply-to-chat"),
    tenantId: TenantId,
    organizationId: z.string(),
    connectorId: Uuid,
    /** Our id of the message, a version 7 UUID; the same on every redelivery. */
    id: Uuid,
    /** Whether its user was approved after it arrived; the policy is then not checked again. */
    admitted: z.boolean().optional(),
    message: ChatMessage,
    /** The trace of the request that brought it; absent without one, and for a message that waited for an approval. */
    traceContext: TraceContext.optional(),
  })
  .meta({
    example: {
      type: "reply-to-chat",
      tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
      organizationId: "local",
      connectorId: "0193f0a0-7c4b-7000-8000-000000000005",
      id: "0193f0a0-7c4b-7000-8000-000000000006",
      message: {
        id: "1",
        user: { id: "U1", name: "Ada" },
        conversation: { id: "C1", name: null },
        text: "Hello",
        receivedAt: 1763596800000,
      },
    },
  });
export type ReplyToChatMessage = z.output<typeof ReplyToChatMessage>;

/**
 * Asks for the message of an approval in its chat to be posted, or replaced by how the approval is now. Its group is the
 * approval. Idempotent; safe to arrive late and in any order.
 */
export const ShowApprovalMessage = z
  .object({ type: z.literal("show-approval"), tenantId: TenantId, approvalId: Uuid })
  .meta({
    example: {
      type: "show-approval",
      tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
      approvalId: "0193f0a0-7c4b-7000-8000-000000000008",
    },
  });
export type ShowApprovalMessage = z.output<typeof ShowApprovalMessage>;

/** A press of a button below the message of an approval. Its group is the approval. Idempotent. */
export const PressApprovalMessage = z
  .object({
    type: z.literal("press-approval"),
    tenantId: TenantId,
    organizationId: z.string(),
    /** The connector that received the press. */
    connectorId: Uuid,
    approvalId: Uuid,
    /** Index of the action. */
    action: z.int(),
    user: z.object({ id: z.string(), name: z.string().nullable() }),
    /** The message with the button, where the provider names it. */
    message: PostedMessage.optional(),
  })
  .meta({
    example: {
      type: "press-approval",
      tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
      organizationId: "local",
      connectorId: "0193f0a0-7c4b-7000-8000-000000000005",
      approvalId: "0193f0a0-7c4b-7000-8000-000000000008",
      action: 0,
      user: { id: "U1", name: "Ada" },
    },
  });
export type PressApprovalMessage = z.output<typeof PressApprovalMessage>;
