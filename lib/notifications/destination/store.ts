import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Database } from "../../platform/db/database.ts";
import { eventDestinationKey, eventDestinationsList, listed } from "../../platform/db/keys.ts";
import { listAll, listPage } from "../../platform/db/list-page.ts";
import type { PageRequest } from "../../platform/http/paging.ts";
import { EventDestinationItem } from "./items.ts";

/** Maximum destinations of an organization: all are read for each event. */
export const mostEventDestinations = 50;

/** ORG#o / DESTINATION#id: one destination. */
export const getEventDestination = async (
  db: Database,
  organizationId: string,
  destinationId: string,
): Promise<EventDestinationItem | undefined> => {
  const Key = eventDestinationKey(organizationId, destinationId);
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.table, Key, ConsistentRead: true }),
  );
  return Item && EventDestinationItem.parse(Item);
};

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
  await db.client.send(new PutCommand({ TableName: db.table, Item }));
};

/** Changed members of a destination; undefined members are unchanged. */
export type EventDestinationChange = Partial<
  Omit<EventDestinationItem, "id" | "organizationId" | "createdAt">
>;

/** Updates a destination and returns it; undefined when it is deleted or no longer matches `before`. */
export const updateEventDestination = async (
  db: Database,
  { organizationId, id }: Pick<EventDestinationItem, "organizationId" | "id">,
  change: EventDestinationChange,
  before: Partial<Pick<EventDestinationItem, "secret" | "url">> = {},
): Promise<EventDestinationItem | undefined> => {
  const members = Object.entries(change).filter(([, value]) => value !== undefined);
  const expected = Object.entries(before);
  try {
    const { Attributes } = await db.client.send(
      new UpdateCommand({
        TableName: db.table,
        Key: eventDestinationKey(organizationId, id),
        UpdateExpression: `SET ${members.map(([name]) => `#${name} = :${name}`).join(", ")}`,
        ConditionExpression: [
          "attribute_exists(pk)",
          ...expected.map(([name]) => `#${name} = :before_${name}`),
        ].join(" AND "),
        ExpressionAttributeNames: Object.fromEntries(
          [...members, ...expected].map(([name]) => [`#${name}`, name]),
        ),
        ExpressionAttributeValues: Object.fromEntries([
          ...members.map(([name, value]) => [`:${name}`, value]),
          ...expected.map(([name, value]) => [`:before_${name}`, value]),
        ]),
        ReturnValues: "ALL_NEW",
      }),
    );
    return EventDestinationItem.parse(Attributes);
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
};

/** Deletes a destination; false when it does not exist. */
export const eraseEventDestination = async (
  db: Database,
  organizationId: string,
  destinationId: string,
): Promise<boolean> => {
  const { Attributes } = await db.client.send(
    new DeleteCommand({
      TableName: db.table,
      Key: eventDestinationKey(organizationId, destinationId),
      ReturnValues: "ALL_OLD",
    }),
  );
  return Attributes !== undefined;
};
