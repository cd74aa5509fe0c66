import { createHash } from "node:crypto";
import { type CreateFileDeps, createFile } from "../../files/create-file.ts";
import { deriveFileId } from "../../files/derive-file-id.ts";
import { storedFileLimits } from "../../files/limits.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { ChatAttachment } from "../../vendors/chat-message.ts";
import type { ReadAttachment } from "../../vendors/chat-provider.ts";
import { toFileSender } from "../chat-user/id.ts";
import type { NormalMessage } from "./normalize-message.ts";

/** A message that a connector received. */
export type ReceivedMessage = {
  tenantId: TenantId;
  connectorId: string;
  message: NormalMessage;
  receivedAt: number;
};

/**
 * Returns an attachment as the queue carries it: one with content is stored as a file of the connector. A repeated message
 * stores the same file, and the same message with other content another one.
 */
export const storeAttachment = async (
  deps: CreateFileDeps,
  {
    received,
    attachment,
    at,
  }: { received: ReceivedMessage; attachment: ReadAttachment; at: number },
): Promise<ChatAttachment> => {
  const { tenantId, connectorId, message, receivedAt } = received;
  const { location } = attachment;
  if (!("base64" in location)) return { ...attachment, location };
  const content = Buffer.from(location.base64, "base64");
  const digest = createHash("sha256").update(content).digest("hex");
  const { conversation, id, repetition } = message;
  const input = JSON.stringify([conversation.id, id, repetition ?? "", digest]);
  const file = await createFile(deps, {
    tenantId,
    id: deriveFileId(connectorId, { input, at }),
    name: attachment.name ?? "file",
    content,
    creator: { type: "Connector", id: connectorId },
    retentionDays: storedFileLimits.defaultRetentionDays,
    now: receivedAt,
    sender: toFileSender(connectorId, { ...message, receivedAt }),
  });
  return { ...attachment, bytes: file.bytes, location: { fileId: file.id } };
};
