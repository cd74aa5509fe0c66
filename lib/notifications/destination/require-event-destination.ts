import type { Database } from "../../platform/db/database.ts";
import { notFound } from "../../platform/http/problems.ts";
import type { EventDestinationItem } from "./items.ts";
import { getEventDestination } from "./store.ts";

/** Returns an organization's destination. Throws 404. */
export const requireEventDestination = async (
  db: Database,
  organizationId: string,
  destinationId: string,
): Promise<EventDestinationItem> => {
  const item = await getEventDestination(db, organizationId, destinationId);
  if (!item) throw notFound("event destination", destinationId);
  return item;
};
