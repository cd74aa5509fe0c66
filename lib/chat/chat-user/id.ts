import { createHash } from "node:crypto";
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
