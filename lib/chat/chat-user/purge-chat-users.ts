import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { ChatUserItem } from "./items.ts";
import { eraseChatUser, listChatUsersOf } from "./user-store.ts";

const atOnce = 10;

/**
 * Forgets the chat users of a deleted connector, with their pending requests; what was decided stays on
 * record. Safe to repeat; "more" when the time was over before the end, or one was being decided on.
 */
export const purgeChatUsers = async (
  db: Database,
  tenantId: TenantId,
  connector: { agentId: string; connectorId: string },
  isTimeOver: () => boolean,
): Promise<"done" | "more"> => {
  let left: "done" | "more" = "done";
  let batch: ChatUserItem[] = [];
  const forget = async () => {
    const outcomes = await Promise.all(batch.map((user) => eraseChatUser(db, user)));
    if (outcomes.includes("changed")) left = "more";
    batch = [];
  };
  for await (const user of listChatUsersOf(db, tenantId, connector)) {
    batch.push(user);
    if (batch.length < atOnce) continue;
    await forget();
    if (isTimeOver()) return "more";
  }
  await forget();
  return left;
};
