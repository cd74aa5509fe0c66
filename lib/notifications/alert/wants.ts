import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import type { AlertPreferences, CollaboratorItem } from "../../tenancy/collaborator/schemas.ts";
import { isMailAddress } from "./mail-address.ts";

const preferenceOf: Partial<Record<OrganizationEvent["type"], keyof AlertPreferences>> = {
  "agent.execution.failed": "errorAlerts",
  "chat.access_requested": "accessRequestAlerts",
  "agent.budget.threshold": "budgetAlerts",
};

/** Whether collaborators may hear of events of a type. */
export const mayConcernCollaborators = (type: OrganizationEvent["type"]): boolean =>
  preferenceOf[type] !== undefined;

/** Where a collaborator of the agent wants mail about an event; undefined for nowhere. */
export const addressFor = (
  { email, alertPreferences }: Pick<CollaboratorItem, "email" | "alertPreferences">,
  type: OrganizationEvent["type"],
): string | undefined => {
  const preference = preferenceOf[type];
  if (preference === undefined || !alertPreferences[preference]) return undefined;
  return isMailAddress(email) ? email : undefined;
};
