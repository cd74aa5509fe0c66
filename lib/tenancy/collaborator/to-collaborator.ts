import type { Collaborator, CollaboratorItem } from "./schemas.ts";

/** The public shape of a stored collaborator. */
export const toCollaborator = (item: CollaboratorItem): Collaborator => ({
  agentId: item.agentId,
  userId: item.userId,
  role: item.role,
  email: item.email,
  firstName: item.firstName,
  lastName: item.lastName,
  createdAt: item.createdAt,
  modifiedAt: item.modifiedAt,
  status: item.status,
  alertPreferences: item.alertPreferences,
});
