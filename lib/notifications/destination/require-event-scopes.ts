import type { Principal } from "../../platform/auth/principal.ts";
import type { ScopeName } from "../../platform/auth/scopes.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { requireOwnScopes } from "../../tenancy/api-key/key-rules.ts";

const scopeFor: Readonly<Record<OrganizationEvent["type"], ScopeName>> = {
  "agent.execution.completed": "executions:read",
  "agent.execution.failed": "executions:read",
  "agent.execution.waiting": "executions:read",
  "approval.requested": "executions:read",
  "approval.decided": "executions:read",
  "approval.timed_out": "executions:read",
  "agent.budget.threshold": "agents:read",
  "experiment.completed": "datasets:read",
  "chat.access_requested": "chat_users:read",
  "chat.access_decided": "chat_users:read",
  "api_key.issued": "keys:read",
  "api_key.rotated": "keys:read",
  "api_key.scopes_changed": "keys:read",
  "api_key.revoked": "keys:read",
  "api_key.expiring": "keys:read",
  "audit.recorded": "organization:read",
  "agent.execution.ended": "traces:read",
  "approval.cancelled": "executions:read",
  "message.unsent": "executions:read",
};

/** Throws 403 unless the caller's scopes allow reading all of these event types. */
export const requireEventScopes = (
  eventTypes: readonly OrganizationEvent["type"][],
  principal: Principal,
): void => requireOwnScopes([...new Set(eventTypes.map((type) => scopeFor[type]))], principal);
