import type { Database } from "../../platform/db/database.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import type { CollaboratorItem } from "../../tenancy/collaborator/schemas.ts";
import { listCollaborators } from "../../tenancy/collaborator/store.ts";
import { allEventDestinations } from "../destination/store.ts";
import { addressFor, mayConcernCollaborators } from "./wants.ts";

/** Who is to be told of an event. */
export type Recipients = { destinationIds: string[]; userIds: string[] };

/** The organization's destinations for such events, and the agent's collaborators who want mail about them. */
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
      .filter(({ active, eventTypes }) => active && eventTypes.includes(event.type))
      .map(({ id }) => id),
    userIds: collaborators.map(({ userId }) => userId),
  };
};

/** Those who want such mail: one for each address. */
const findCollaborators = async (
  db: Database,
  { type, tenantId, agentId }: Pick<OrganizationEvent, "type" | "tenantId" | "agentId">,
) => {
  if (tenantId === null || agentId === null || !mayConcernCollaborators(type)) return [];
  const byAddress = new Map<string, CollaboratorItem>();
  for (const each of await listCollaborators(db, tenantId, agentId)) {
    const address = addressFor(each, type)?.toLowerCase();
    if (address !== undefined) byAddress.set(address, each);
  }
  return [...byAddress.values()];
};

/** Whether any collaborator of the event's agent wants mail about such events. */
export const concernsCollaborators = async (
  db: Database,
  event: Pick<OrganizationEvent, "type" | "tenantId" | "agentId">,
): Promise<boolean> => (await findCollaborators(db, event)).length > 0;
