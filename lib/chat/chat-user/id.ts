import { createHash } from "node:crypto";
import { nameChatUser } from "../../approvals/person.ts";
import { toPersonMark } from "../../executions/session/persons.ts";
import type { FileSender } from "../../files/store.ts";
import { parseUuidTime, uuidAt } from "../../platform/runtime/runtime.ts";

/**
 * Derives the id of a connector's chat user: deterministic, so that a message finds its user with one read and
 * concurrent messages create one user. Starts with the connector's timestamp.
 * @param identifier the provider's user id
 */
export const deriveChatUserId = (connectorId: string, identifier: string): string =>
  uuidAt(
    parseUuidTime(connectorId),
    createHash("sha256").update(`${connectorId}\n${identifier}`).digest(),
  );

/** Returns the mark of a chat user as a person, see `toPersonMark`. */
export const toChatUserMark = (chatUserId: string): string =>
  toPersonMark(nameChatUser(chatUserId));

/** Returns the sender of the files of a message that a connector received. */
export const toFileSender = (
  connectorId: string,
  { user, receivedAt }: { user: { id: string }; receivedAt: number },
): FileSender => ({
  person: toChatUserMark(deriveChatUserId(connectorId, user.id)),
  sentAt: receivedAt,
});
