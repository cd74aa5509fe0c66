import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { collaboratorChanged } from "./conflicts.ts";
import { mergeInvitation } from "./merge-invitation.ts";
import type { CollaboratorItem } from "./schemas.ts";
import { collaboratorStatus } from "./status.ts";
import { getInvitation, moveInvitation } from "./store.ts";

/** An invitation to an address at an agent, and the user with that verified address. */
export type InvitationClaim = {
  tenantId: TenantId;
  agentId: string;
  address: string;
  userId: string;
};

/**
 * Makes an invitation to an address its user's. Idempotent: of concurrent calls one moves it. Returns the user's
 * collaborator; undefined when there is none, because the invitation is another user's or was deleted.
 */
export const claimInvitation = async (
  { db }: { db: Database },
  { tenantId, agentId, address, userId }: InvitationClaim,
): Promise<CollaboratorItem | undefined> =>
  retryOnConflict({ error: () => collaboratorChanged(address) }, async () => {
    const { invitation, own } = await getInvitation(db, { tenantId, agentId, address, userId });
    if (invitation?.status !== collaboratorStatus.invited) return own;
    const after = mergeInvitation(invitation, own, userId);
    const isMoved = await moveInvitation(db, tenantId, { invitation, own, after });
    return isMoved ? after : "changed";
  });
