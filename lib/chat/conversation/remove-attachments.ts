import type { ExecutionDeps } from "../../executions/job/job.ts";
import { getExecution } from "../../executions/record/store.ts";
import type { FileItem } from "../../files/file-item.ts";
import { findReadableFile } from "../../files/find-readable-file.ts";
import { removeFile } from "../../files/remove-file.ts";
import type { Database } from "../../platform/db/database.ts";
import { deriveChatUserId } from "../chat-user/id.ts";
import { keepMessage, messageMark } from "../chat-user/kept-message.ts";
import { getChatUser } from "../chat-user/user-store.ts";
import type { ConnectorItem } from "../connector/items.ts";
import { getConnector } from "../connector/store.ts";
import type { ReplyToChatMessage } from "../messages.ts";

type RemoveDeps = Pick<ExecutionDeps, "db" | "files" | "runtime">;

/** Removes the files that were stored of a message. */
export const removeAttachedFiles = async (
  { db, files: { objects } }: Pick<RemoveDeps, "db" | "files">,
  { tenantId, files }: Pick<ReplyToChatMessage, "tenantId"> & { files: readonly FileItem[] },
): Promise<void> => {
  await Promise.all(files.map((item) => removeFile({ db, objects }, { tenantId, item })));
};

/** Removes the content of attachments that came with a message which a worker has claimed. */
export const removeAttachments = (deps: RemoveDeps, message: ReplyToChatMessage): Promise<void> =>
  removeWhere(deps, message, () => true);

/**
 * Removes the content of attachments that came with a message which no worker has claimed, unless an earlier attempt at it has
 * started its execution, or it waits for an approval.
 */
export const removeRefusedAttachments = async (
  deps: RemoveDeps,
  { message, executionId }: { message: ReplyToChatMessage; executionId: string },
): Promise<void> => {
  if (listContents(message).length === 0) return;
  const { tenantId, connectorId } = message;
  const connector = await getConnector(deps.db, tenantId, connectorId);
  if (connector) {
    const execution = await getExecution(deps.db, tenantId, connector.agentId, executionId);
    if (execution || (await waitsForApproval(deps.db, connector, message))) return;
  }
  // A repetition by the provider has the files of the first message, which may wait for an approval.
  const { receivedAt } = message.message;
  await removeWhere(deps, message, ({ createdAt }) => createdAt === receivedAt);
};

/** Returns whether a message is kept with a pending access request. */
const waitsForApproval = async (
  db: Database,
  { id, agentId }: Pick<ConnectorItem, "id" | "agentId">,
  { tenantId, message }: ReplyToChatMessage,
): Promise<boolean> => {
  const user = await getChatUser(db, tenantId, agentId, deriveChatUserId(id, message.user.id));
  const hasAsked = user?.pendingRequestId !== undefined && user.askedBy === messageMark(message);
  return hasAsked && keepMessage(message) !== undefined;
};

const listContents = ({ message: { attachments = [] } }: ReplyToChatMessage): string[] =>
  attachments.flatMap(({ location }) => ("fileId" in location ? location.fileId : []));

const removeWhere = async (
  { db, files: { objects }, runtime }: RemoveDeps,
  message: ReplyToChatMessage,
  isOwn: (item: FileItem) => boolean,
): Promise<void> => {
  const { tenantId, connectorId } = message;
  const reader = { creator: { type: "Connector", id: connectorId } } as const;
  for (const fileId of listContents(message)) {
    const item = await findReadableFile(db, { tenantId, reader, fileId, now: runtime.clock() });
    if (item && isOwn(item)) await removeFile({ db, objects }, { tenantId, item });
  }
};
