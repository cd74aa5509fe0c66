import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import type { AlertPreferences, CollaboratorItem } from "../../tenancy/collaborator/schemas.ts";
import { isMailAddress } from "./mail-address.ts";

const preferencesByEventType: Partial<Record<OrganizationEvent["type"], keyof AlertPreferences>> = {
  "agent.execution.failed": "errorAlerts",
  "approval.requested": "approvalAlerts",
  "chat.access_requested": "accessRequestAlerts",
  "agent.budget.threshold": "budgetAlerts",
};

/** Returns whether collaborators can receive mail about an event type. */
export const isAlertType = (type: OrganizationEvent["type"]): boolean =>
  preferencesByEventType[type] !== undefined;

/** Returns the address for mail to a collaborator about an event type; undefined when they receive none. */
export const addressFor = (
  { email, alertPreferences }: Pick<CollaboratorItem, "email" | "alertPreferences">,
  type: OrganizationEvent["type"],
): string | undefined => {
  const preference = preferencesByEventType[type];
  if (preference === undefined || !alertPreferences[preference]) return undefined;
  return isMailAddress(email) ? email : undefined;
};
