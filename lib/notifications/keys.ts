import type { Key, ListKey } from "../platform/db/keys.ts";

/** Ids are version 7 UUIDs: keys sort by time. */
export const eventDestinationKey = (organizationId: string, destinationId: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: `DESTINATION#${destinationId}`,
});

export const eventDestinationsList = (organizationId: string): ListKey => ({
  pk: `ORG#${organizationId}`,
  prefix: "DESTINATION#",
});

/** Notification of one recipient about one event; `digest` is of both. */
export const alertKey = (digest: string): Key => ({ pk: `ALERT#${digest}`, sk: "ALERT" });

/** Counts mails of one kind to one address (`digest`) in an hour since 1970. */
export const mailCountKey = (digest: string, hour: number): Key => ({
  pk: `MAILS#${digest}`,
  sk: `HOUR#${hour}`,
});
