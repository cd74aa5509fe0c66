import { reaches } from "./role.ts";
import type { AlertPreferences, CollaboratorItem } from "./schemas.ts";
import { collaboratorStatus } from "./status.ts";

/**
 * Returns the collaborator that an invitation to an address becomes: of `userId`, who has that verified address. A user who
 * was a collaborator before keeps the higher role, so that no agent loses its last Owner.
 */
export const mergeInvitation = (
  invitation: CollaboratorItem,
  before: CollaboratorItem | undefined,
  userId: string,
): CollaboratorItem => {
  const status = collaboratorStatus.active;
  if (!before) return { ...invitation, userId, status };
  return {
    ...before,
    status,
    role: reaches(before.role, invitation.role) ? before.role : invitation.role,
    email: before.email ?? invitation.email,
    firstName: before.firstName ?? invitation.firstName,
    lastName: before.lastName ?? invitation.lastName,
    alertPreferences: joinAlerts(before.alertPreferences, invitation.alertPreferences),
  };
};

const joinAlerts = (some: AlertPreferences, others: AlertPreferences): AlertPreferences => ({
  errorAlerts: some.errorAlerts || others.errorAlerts,
  accessRequestAlerts: some.accessRequestAlerts || others.accessRequestAlerts,
  approvalAlerts: some.approvalAlerts || others.approvalAlerts,
  budgetAlerts: some.budgetAlerts || others.budgetAlerts,
});
