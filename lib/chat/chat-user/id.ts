import { createHash } from "node:crypto";
import { timeOfUuid, uuidAt } from "../../platform/runtime/runtime.ts";

/**
 * The id of a connector's chat user: always the same for the same one, so that a message leads to its user
 * by one read, and of many that come at once one makes the user. It begins with the connector's own time.
 * @param identifier the provider's own id of the user
 */
export const chatUserIdOf = (connectorId: string, identifier: string): string =>
  uuidAt(
    timeOfUuid(connectorId),
    createHash("sha256").update(`${connectorId}\n${identifier}`).digest(),
  );
