import type { Database } from "../../platform/db/database.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import type { CollaboratorItem } from "../../tenancy/collaborator/schemas.ts";
import { listCollaborators } from "../../tenancy/collaborator/store.ts";
import { allEventDestinations } from "../destination/store.ts";
import { subscribedTypes } from "../destination/subscribed-types.ts";
import { addressFor, isAlertType } from "./alert-preferences.ts";

/** Recipients of an event. */
export type Recipients = { destinationIds: string[]; userIds: string[] };

/** Finds the organization's destinations for an event and the agent's collaborators who receive mail about it. */
export const findRecipients = async (
  db: Database,
  event: OrganizationEvent,
): Promise<Recipients> => {
  const [destinations, collaborators] = await Promise.all([
    allEventDestinations(db, event.organizationId),
    findCollaborators(db, event),
  ]);
  return {
    destinationIds: destinations
      .filter(
        (destination) => destination.active && subscribedTypes(destination).includes(event.type),
      )
      .map(({ id }) => id),
    userIds: collaborators.map(({ userId }) => userId),
  };
};

/** Finds the collaborators who receive mail about an event, one per address. */
const findCollaborators = async (
  db: Database,
  { type, tenantId, agentId }: Pick<OrganizationEvent, "type" | "tenantId" | "agentId">,
) => {
  if (tenantId === null || agentId === null || !isAlertType(type)) return [];
  const byAddress = new Map<string, CollaboratorItem>();
  for (const collaborator of await listCollaborators(db, tenantId, agentId)) {
    const address = addressFor(collaborator, type)?.toLowerCase();
    if (address !== undefined) byAddress.set(address, collaborator);
  }
  return [...byAddress.values()];
};

/** Returns whether any collaborator of the event's agent receives mail about it. */
export const hasMailRecipients = async (
  db: Database,
  event: Pick<OrganizationEvent, "type" | "tenantId" | "agentId">,
): Promise<boolean> => (await findCollaborators(db, event)).length > 0;
