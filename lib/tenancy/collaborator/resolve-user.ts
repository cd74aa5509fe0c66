import { findAddressUsers } from "../../platform/auth/last-call-store.ts";
import { isAddress, lowerAddress } from "../../platform/auth/mail-address.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantContext } from "../tenant/context.ts";
import { settleInvitations } from "./settle-invitations.ts";

/**
 * Returns the id of the collaborator that a path names, after the due invitations of the agent are their users': an address
 * is the collaborator with that id, the calling user's, that of a collaborator who called with it as a verified one, or
 * an invitation.
 */
export const resolveUser = async (
  db: Database,
  {
    ctx,
    agentId,
    userId,
  }: {
    ctx: Pick<TenantContext, "tenant" | "principal">;
    agentId: string;
    userId: string;
  },
): Promise<string> => {
  const { id: tenantId, organizationId } = ctx.tenant;
  const collaborators = await settleInvitations(db, { organizationId, tenantId, agentId });
  const ids = new Set(collaborators.map((collaborator) => collaborator.userId));
  if (!isAddress(userId) || ids.has(userId)) return userId;
  const address = lowerAddress(userId);
  if (ids.has(address)) return address;
  const { type, id, userIds } = ctx.principal;
  if (type === "User" && userIds.includes(address)) return id;
  const users = (await findAddressUsers(db, organizationId, [address])).get(address) ?? [];
  return users.find((user) => ids.has(user.userId))?.userId ?? address;
};
