import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { conflict, notFound } from "../../platform/http/problems.ts";
import { eraseChatUser, getChatUser } from "./user-store.ts";

const attempts = 5;

/** Deletes a chat user and their pending request; decided requests are kept. Throws 404. */
export const deleteChatUser = async (
  tenantId: TenantId,
  { agentId, chatUserId }: { agentId: string; chatUserId: string },
  { db }: { db: Database },
): Promise<void> => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const user = await getChatUser(db, tenantId, agentId, chatUserId);
    if (!user) throw notFound("chat user", chatUserId);
    if ((await eraseChatUser(db, user)) === "written") return;
  }
  throw conflict(`The chat user "${chatUserId}" is being changed by others. Try again.`);
};
