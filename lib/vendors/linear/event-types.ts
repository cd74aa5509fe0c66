import { type EventTypes, splitNames } from "../event-types.ts";

/** Values of `type` (linear.app/developers/webhooks). */
const names = splitNames(`
    AgentSession AgentSessionEvent AppUserNotification Attachment AuditEntry Comment Customer CustomerNeed Cycle
    Document Initiative InitiativeUpdate Issue IssueLabel IssueRelation IssueSLA OAuthApp OAuthAuthorization
    PermissionChange Project ProjectLabel ProjectMilestone ProjectUpdate Reaction Release ReleaseNote Team User
`);

/** Known event types; others are accepted. */
export const eventTypes: EventTypes = { names, isComplete: false };
