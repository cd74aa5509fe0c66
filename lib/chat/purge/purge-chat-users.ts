import type { Database } from "../../platform/db/database.ts";
import { purgeList } from "../../platform/db/purge-list.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { eraseChatUser, listConnectorChatUsers } from "../chat-user/user-store.ts";

/**
 * Deletes the chat users of a deleted connector with their pending requests; decided requests are kept.
 * Idempotent; "more" when time ran out or a user was being changed.
 */
export const purgeChatUsers = (
  db: Database,
  tenantId: TenantId,
  connector: { agentId: string; connectorId: string },
  isTimeOver: () => boolean,
): Promise<"done" | "more"> =>
  purgeList(
    listConnectorChatUsers(db, tenantId, connector),
    async (users) => {
      const outcomes = await Promise.all(users.map((user) => eraseChatUser(db, user)));
      return outcomes.includes("changed") ? "more" : "done";
    },
    { isTimeOver, batchSize: 10 },
  );
