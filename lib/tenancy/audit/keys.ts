import type { Key, ListKey } from "../../platform/db/keys.ts";

const partition = (organizationId: string): string => `ORG#${organizationId}#AUDIT`;

/** Record ids are version 7 UUIDs: keys sort by time. */
export const auditRecordKey = (organizationId: string, recordId: string): Key => ({
  pk: partition(organizationId),
  sk: `RECORD#${recordId}`,
});

export const auditRecordsList = (organizationId: string): ListKey => ({
  pk: partition(organizationId),
  prefix: "RECORD#",
});
