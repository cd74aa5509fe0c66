import { findLastCalls } from "../../platform/auth/last-call-store.ts";
import type { Database } from "../../platform/db/database.ts";
import type { CollaboratorItem } from "./schemas.ts";
import { showSettled } from "./settle-invitations.ts";
import { collaboratorStatus } from "./status.ts";

/**
 * Returns collaborators with their status: an invited user is active from their first authenticated call on, which the count
 * of their calls shows, so that no call writes it. An invitation to an address is its user's from then on.
 */
export const withStatus = async (
  db: Database,
  organizationId: string,
  collaborators: readonly CollaboratorItem[],
): Promise<CollaboratorItem[]> => {
  const settled = await showSettled(db, organizationId, collaborators);
  const invited = settled.filter(({ status }) => status === collaboratorStatus.invited);
  if (invited.length === 0) return settled;
  const userIds = invited.map(({ userId }) => userId);
  const lastCalls = await findLastCalls(db, organizationId, userIds);
  return settled.map((collaborator) =>
    collaborator.status === collaboratorStatus.invited &&
    (lastCalls.get(collaborator.userId) ?? 0) >= collaborator.createdAt
      ? { ...collaborator, status: collaboratorStatus.active }
      : collaborator,
  );
};
