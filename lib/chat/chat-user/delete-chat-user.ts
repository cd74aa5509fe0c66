import { getAgent } from "../../agents/agent/store.ts";
import { nameChatUser } from "../../approvals/person.ts";
import { erasePerson, requestLeftErasures } from "../../memory/erase-person.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { deleteEntity } from "../../platform/deletion/delete-entity.ts";
import { beingChanged, notFound } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { Runtime } from "../../platform/runtime/runtime.ts";
import { deleteUser, getChatUser } from "./user-store.ts";

/**
 * Deletes a chat user and their pending request, what they wrote in the sessions of the connector's conversations, and the
 * memories of it; decided requests are kept. Throws 404.
 */
export const deleteChatUser = (
  deps: { db: Database; send: Send; runtime: Runtime },
  { tenantId, agentId, chatUserId }: { tenantId: TenantId; agentId: string; chatUserId: string },
): Promise<void> => {
  const person = { tenantId, agentId, name: nameChatUser(chatUserId) };
  return deleteEntity({
    read: async () => {
      const [agent, user] = await Promise.all([
        getAgent(deps.db, tenantId, agentId),
        getChatUser(deps.db, tenantId, agentId, chatUserId),
      ]);
      return agent && user;
    },
    replace: (user) =>
      erasePerson(deps, { ...person, endUserId: user.identifier, writes: deleteUser(user) }),
    // With the deletion.
    requestPurge: async () => undefined,
    requestLeftPurges: () => requestLeftErasures(deps, person),
    missing: () => notFound("chat user", chatUserId),
    conflict: () => beingChanged("chat user", chatUserId),
  });
};
