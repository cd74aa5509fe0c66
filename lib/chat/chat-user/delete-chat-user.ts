import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { beingChanged, notFound } from "../../platform/http/problems.ts";
import { eraseChatUser, getChatUser } from "./user-store.ts";

/** Deletes a chat user and their pending request; decided requests are kept. Throws 404. */
export const deleteChatUser = async (
  { db }: { db: Database },
  { tenantId, agentId, chatUserId }: { tenantId: TenantId; agentId: string; chatUserId: string },
): Promise<void> => {
  return retryOnConflict(
    {
      error: () => beingChanged("chat user", chatUserId),
    },
    async () => {
      const user = await getChatUser(db, tenantId, agentId, chatUserId);
      if (!user) throw notFound("chat user", chatUserId);
      const outcome = await eraseChatUser(db, user);
      return outcome === "changed" ? outcome : undefined;
    },
  );
};
