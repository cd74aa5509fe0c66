import * as z from "zod";
import { erasedPersonKey } from "../../memory/keys.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItems } from "../../platform/db/get-items.ts";
import { toFileSender } from "../chat-user/id.ts";
import type { ConnectorItem } from "../connector/items.ts";
import { connectorKey } from "../keys.ts";
import type { ReplyToChatMessage } from "../messages.ts";

/** A connector has no `at`. */
const Found = z.object({ at: z.int().optional() });

/**
 * Returns whether the connector was deleted, or the sender of a message since they sent it: the purge may not find the files that
 * were stored of the message. A purge of a later deletion does.
 */
export const isSenderGone = async (
  db: Database,
  connector: Pick<ConnectorItem, "id" | "agentId">,
  { tenantId, message }: ReplyToChatMessage,
): Promise<boolean> => {
  const { person, sentAt } = toFileSender(connector.id, message);
  const keys = [
    connectorKey(tenantId, connector.id),
    erasedPersonKey(tenantId, connector.agentId, person),
  ];
  const [found, erased] = await getItems(db, keys, Found);
  return !found || (erased?.at !== undefined && sentAt <= erased.at);
};
