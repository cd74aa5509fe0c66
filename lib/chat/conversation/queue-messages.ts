import type { Send } from "../../platform/queue/send.ts";
import type { TraceContext } from "../../platform/tracing/trace-context.ts";
import type { TenantOwner } from "../../tenancy/tenant/store.ts";
import type { ReadMessage } from "../../vendors/chat-provider.ts";
import { chatGroup } from "../message-group.ts";
import type { ReplyToChatMessage } from "../messages.ts";
import { normalizeMessage } from "./normalize-message.ts";

/** Messages received for a connector. */
export type ReceivedMessages = {
  tenant: Pick<TenantOwner, "id" | "organizationId">;
  connectorId: string;
  messages: readonly ReadMessage[];
  /** When they were received, Unix milliseconds. */
  receivedAt: number;
  /** The trace of the request that brought them. */
  traceContext?: TraceContext | undefined;
  /** Returns the UUIDv7 of the nth message. */
  messageIdFor: (at: number) => string;
};

/**
 * Queues messages on `chats`, in order within a conversation, and returns how many. Skips messages with invalid
 * ids.
 */
export const queueMessages = async (
  send: Send,
  { tenant, connectorId, messages: read, receivedAt, traceContext, messageIdFor }: ReceivedMessages,
): Promise<number> => {
  const messages = read
    .flatMap((message) => normalizeMessage(message) ?? [])
    .map(
      (message, at): ReplyToChatMessage => ({
        type: "reply-to-chat",
        tenantId: tenant.id,
        organizationId: tenant.organizationId,
        connectorId,
        id: messageIdFor(at),
        message: { ...message, receivedAt },
        ...(traceContext && { traceContext }),
      }),
    );
  const groups = Map.groupBy(messages, chatGroup);
  await Promise.all(
    [...groups].map(async ([group, members]) => {
      for (const member of members) await send("chats", group, member);
    }),
  );
  return messages.length;
};
