import type { Principal } from "../../platform/auth/principal.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { notApprover } from "../../platform/http/problems.ts";
import { getApiKey } from "../../tenancy/api-key/store.ts";
import { getHeldRoles } from "../../tenancy/collaborator/role-store.ts";
import type { LinkHolder } from "../person.ts";
import type { SignedLink } from "./verify-link.ts";

/** Dependencies of finding the holder of a link. */
export type HolderDeps = {
  db: Database;
  /** Returns whether a connector is active and its policy lets people use it. */
  isConnectorOpen: (tenantId: TenantId, connectorId: string) => Promise<boolean>;
};

/**
 * Finds the holder of a link, with the rights of this moment. The rights of a user are its roles. Throws 403 for a key that
 * was revoked or has expired, a user who is no collaborator of the agent any more, and a connector that is closed.
 */
export const findHolder = async (
  { db, isConnectorOpen }: HolderDeps,
  {
    link: {
      tenant: { id: tenantId, organizationId },
      claims: { owner },
      item: { agentId },
    },
    now,
  }: { link: SignedLink; now: number },
): Promise<LinkHolder> => {
  switch (owner.type) {
    case "mail":
      return owner;
    case "chat": {
      if (await isConnectorOpen(tenantId, owner.connectorId)) return owner;
      throw notApprover("The chat of the link is not connected any more.");
    }
    case "user": {
      const { id, userIds, isCollaborator } = owner;
      // Without a role, scopes alone would count, which are those of the moment at which the link was created.
      if (isCollaborator && (await getHeldRoles(db, tenantId, [agentId], userIds)).length === 0)
        throw notApprover(
          "The user who created the link is no collaborator of the agent any more.",
        );
      const scopes = ["agents:execute"];
      return holdBy({ type: "User", id, organizationId, scopes, userIds });
    }
    case "key": {
      const key = await getApiKey(db, organizationId, owner.id);
      const isOver = !key || key.revokedAt !== null || (key.expiresAt ?? now + 1) <= now;
      if (isOver)
        throw notApprover("The API key that created the link was revoked, or has expired.");
      const { id, scopes, userIds } = key;
      return holdBy({ type: "ApiKey", id, organizationId, scopes, userIds });
    }
  }
};

const holdBy = (principal: Omit<Principal, "email" | "apiKey">): LinkHolder => ({
  type: "principal",
  principal: { ...principal, email: null, apiKey: null },
});
