import { findAddressUsers } from "../../platform/auth/last-call-store.ts";
import { isAddress } from "../../platform/auth/mail-address.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { claimInvitation } from "./claim-invitation.ts";
import { mergeInvitation } from "./merge-invitation.ts";
import type { CollaboratorItem } from "./schemas.ts";
import { collaboratorStatus } from "./status.ts";
import { listCollaborators } from "./store.ts";

/** An invitation, and its user, who has signed in since. */
type DueInvitation = { invitation: CollaboratorItem; userId: string };

/**
 * Finds invitations to addresses with users who have called since with the verified address. Of several users, it is that of
 * the one with the earliest last call.
 */
const findDueInvitations = async (
  db: Database,
  organizationId: string,
  collaborators: readonly CollaboratorItem[],
): Promise<DueInvitation[]> => {
  const invitations = collaborators.filter(
    ({ userId, status }) => status === collaboratorStatus.invited && isAddress(userId),
  );
  if (invitations.length === 0) return [];
  const addresses = invitations.map(({ userId }) => userId);
  const users = await findAddressUsers(db, organizationId, addresses);
  return invitations.flatMap((invitation) => {
    const [first] = (users.get(invitation.userId) ?? [])
      .filter(({ lastUsedAt }) => lastUsedAt >= invitation.createdAt)
      .sort((one, other) => one.lastUsedAt - other.lastUsedAt);
    return first ? [{ invitation, userId: first.userId }] : [];
  });
};

/** Returns collaborators as they are when the due invitations are their users', by user id. Writes nothing. */
export const showSettled = async (
  db: Database,
  organizationId: string,
  collaborators: readonly CollaboratorItem[],
): Promise<CollaboratorItem[]> => {
  const shown = new Map(collaborators.map((item) => [item.userId, item]));
  for (const { invitation, userId } of await findDueInvitations(
    db,
    organizationId,
    collaborators,
  )) {
    shown.delete(invitation.userId);
    shown.set(userId, mergeInvitation(invitation, shown.get(userId), userId));
  }
  return [...shown.values()].sort((one, other) => (one.userId < other.userId ? -1 : 1));
};

/** Makes the due invitations of an agent their users', and returns its collaborators. */
export const settleInvitations = async (
  db: Database,
  {
    organizationId,
    tenantId,
    agentId,
  }: { organizationId: string; tenantId: TenantId; agentId: string },
): Promise<CollaboratorItem[]> => {
  const collaborators = await listCollaborators(db, tenantId, agentId);
  const due = await findDueInvitations(db, organizationId, collaborators);
  if (due.length === 0) return collaborators;
  for (const { invitation, userId } of due) {
    await claimInvitation({ db }, { tenantId, agentId, address: invitation.userId, userId });
  }
  return listCollaborators(db, tenantId, agentId);
};
