import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { ChatUserItem } from "./items.ts";
import { eraseChatUser, listChatUsersOf } from "./user-store.ts";

const atOnce = 10;

/**
 * Deletes the chat users of a deleted connector with their pending requests; decided requests are kept.
 * Idempotent; "more" when time ran out or a user was being changed.
 */
export const purgeChatUsers = async (
  db: Database,
  tenantId: TenantId,
  connector: { agentId: string; connectorId: string },
  isTimeOver: () => boolean,
): Promise<"done" | "more"> => {
  let outcome: "done" | "more" = "done";
  let batch: ChatUserItem[] = [];
  const eraseBatch = async () => {
    const outcomes = await Promise.all(batch.map((user) => eraseChatUser(db, user)));
    if (outcomes.includes("changed")) outcome = "more";
    batch = [];
  };
  for await (const user of listChatUsersOf(db, tenantId, connector)) {
    batch.push(user);
    if (batch.length < atOnce) continue;
    await eraseBatch();
    if (isTimeOver()) return "more";
  }
  await eraseBatch();
  return outcome;
};
