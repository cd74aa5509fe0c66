import * as z from "zod";
import { TenantId } from "../platform/db/tenant-id.ts";
import { Uuid } from "../platform/http/ids.ts";
import { ChatMessage } from "./conversation/message.ts";

/** Asks for a deleted connector's chat users, and what it kept of conversations, to be removed. Safe to repeat. */
export const PurgeConnectorMessage = z.object({
  type: z.literal("purge-connector"),
  tenantId: TenantId,
  agentId: z.string(),
  connectorId: Uuid,
});
export type PurgeConnectorMessage = z.output<typeof PurgeConnectorMessage>;

/**
 * Asks for a chat user's message to be answered. Messages of one conversation are answered one after the
 * other: the group that it is sent with is `chatGroup`. Safe to repeat.
 */
export const AnswerChatMessage = z
  .object({
    type: z.literal("answer-chat"),
    tenantId: TenantId,
    organizationId: z.string(),
    connectorId: Uuid,
    /** Our id of the message, version 7; the same for the same message however often it is sent. */
    id: Uuid,
    /** Whether its user was let in since it was first sent: it is not asked again whether they may. */
    admitted: z.boolean().optional(),
    message: ChatMessage,
  })
  .meta({
    example: {
      type: "answer-chat",
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
export type AnswerChatMessage = z.output<typeof AnswerChatMessage>;
