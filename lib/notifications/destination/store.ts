import { ifExists } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { listed } from "../../platform/db/keys.ts";
import { listAll, listPage } from "../../platform/db/list-page.ts";
import { patchItem } from "../../platform/db/patch-item.ts";
import { deleteItem, putItem } from "../../platform/db/write-item.ts";
import type { PageRequest } from "../../platform/http/paging.ts";
import { eventDestinationKey, eventDestinationsList } from "../keys.ts";
import { EventDestinationItem } from "./items.ts";

/** Maximum destinations of an organization: all are read for each event. */
export const maxEventDestinations = 50;

/** ORG#o / DESTINATION#id: one destination. */
export const getEventDestination = (
  db: Database,
  organizationId: string,
  destinationId: string,
): Promise<EventDestinationItem | undefined> =>
  getItem(db, eventDestinationKey(organizationId, destinationId), EventDestinationItem);

/** ORG#o / DESTINATION#…: a page of an organization's destinations, oldest first. */
export const listEventDestinations = (db: Database, organizationId: string, page: PageRequest) =>
  listPage(db, EventDestinationItem, { list: eventDestinationsList(organizationId) }, page);

/** ORG#o / DESTINATION#…: all destinations of an organization. */
export const allEventDestinations = (
  db: Database,
  organizationId: string,
): Promise<EventDestinationItem[]> =>
  Array.fromAsync(listAll(db, EventDestinationItem, eventDestinationsList(organizationId)));

/** Writes a new destination. */
export const putEventDestination = async (
  db: Database,
  item: EventDestinationItem,
): Promise<void> => {
  const Item = { ...listed(eventDestinationKey(item.organizationId, item.id)), ...item };
  await putItem(db, { Item });
};

/** Changed members of a destination; undefined members are unchanged. */
export type EventDestinationChange = Partial<
  Omit<EventDestinationItem, "id" | "organizationId" | "createdAt">
>;

/** Updates a destination and returns it; undefined when it is deleted or no longer matches `before`. */
export const changeEventDestination = (
  db: Database,
  { organizationId, id }: Pick<EventDestinationItem, "organizationId" | "id">,
  change: EventDestinationChange,
  before: Partial<Pick<EventDestinationItem, "secret" | "url">> = {},
): Promise<EventDestinationItem | undefined> =>
  patchItem(db, eventDestinationKey(organizationId, id), EventDestinationItem, {
    set: change,
    expect: before,
  });

/** Deletes a destination; false when it does not exist. */
export const eraseEventDestination = async (
  db: Database,
  organizationId: string,
  destinationId: string,
): Promise<boolean> => {
  const Key = eventDestinationKey(organizationId, destinationId);
  return (await deleteItem(db, { Key, ...ifExists })).written;
};
