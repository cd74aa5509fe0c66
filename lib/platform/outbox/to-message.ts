import { createHash } from "node:crypto";
import type { OrganizationEvent } from "./organization-event.ts";

/** A message to a destination: an id without a full stop, the same for every attempt, and the body. */
export type EventMessage = { id: string; body: string };

/** Formats an event for destinations. */
export const toMessage = (
  event: Omit<OrganizationEvent, "type"> & { type: string },
): EventMessage => {
  const id = `evt_${createHash("sha256").update(event.id).digest("hex").slice(0, 32)}`;
  const { type, organizationId, tenantId, agentId, data } = event;
  const timestamp = new Date(event.occurredAt).toISOString();
  return {
    id,
    body: JSON.stringify({ id, type, timestamp, organizationId, tenantId, agentId, data }),
  };
};
