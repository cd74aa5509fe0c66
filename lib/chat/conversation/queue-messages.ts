import type { CreateFileDeps } from "../../files/create-file.ts";
import type { FileStorage } from "../../files/file-storage.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { TraceContext } from "../../platform/tracing/trace-context.ts";
import type { TenantOwner } from "../../tenancy/tenant/store.ts";
import type { ChatAttachment, ChatMessage } from "../../vendors/chat-message.ts";
import type { ReadMessage } from "../../vendors/chat-provider.ts";
import { chatGroup } from "../message-group.ts";
import type { ReplyToChatMessage } from "../messages.ts";
import { normalizeMessage } from "./normalize-message.ts";
import { type ReceivedMessage, storeAttachment } from "./store-attachment.ts";

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

/** Dependencies of queuing messages. */
export type QueueMessagesDeps = {
  db: Database;
  files: Pick<FileStorage, "objects">;
  send: Send;
};

/**
 * Queues messages on `chats`, in order within a conversation, and returns how many. Skips messages with invalid
 * ids. Stores the content of attachments before.
 */
export const queueMessages = async (
  { db, files, send }: QueueMessagesDeps,
  { tenant, connectorId, messages: read, receivedAt, traceContext, messageIdFor }: ReceivedMessages,
): Promise<number> => {
  const deps = { db, files: files.objects };
  const normal = read.flatMap((message) => normalizeMessage(message) ?? []);
  const messages: ReplyToChatMessage[] = [];
  for (const [at, message] of normal.entries()) {
    messages.push({
      type: "reply-to-chat",
      tenantId: tenant.id,
      organizationId: tenant.organizationId,
      connectorId,
      id: messageIdFor(at),
      message: await toChatMessage(deps, { tenantId: tenant.id, connectorId, message, receivedAt }),
      ...(traceContext && { traceContext }),
    });
  }
  const groups = Map.groupBy(messages, chatGroup);
  await Promise.all(
    [...groups].map(async ([group, members]) => {
      for (const member of members) await send("chats", group, member);
    }),
  );
  return messages.length;
};

const toChatMessage = async (
  deps: CreateFileDeps,
  received: ReceivedMessage,
): Promise<ChatMessage> => {
  const { attachments: read, omittedAttachments, ...message } = received.message;
  const attachments: ChatAttachment[] = [];
  for (const [at, attachment] of read.entries()) {
    attachments.push(await storeAttachment(deps, { received, attachment, at }));
  }
  return {
    ...message,
    ...(attachments.length > 0 && { attachments }),
    ...(omittedAttachments > 0 && { omittedAttachments }),
    receivedAt: received.receivedAt,
  };
};
