import type { Database } from "../../platform/db/database.ts";
import { listed } from "../../platform/db/keys.ts";
import { listMatchingPage } from "../../platform/db/list-page.ts";
import { tableAttributes } from "../../platform/db/table.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { uuidRange } from "../../platform/db/uuid-range.ts";
import type { Page, PageRequest } from "../../platform/http/paging.ts";
import { auditRecordKey, auditRecordsList } from "./keys.ts";
import { AuditRecord } from "./schemas.ts";

/** Time for which records are kept: 400 days, in milliseconds. */
const keptMs = 400 * 86_400_000;

/** Builds the write that stores a record. */
export const putAuditRecord = (organizationId: string, record: AuditRecord): TransactionWrite => ({
  Put: {
    Item: {
      ...listed(auditRecordKey(organizationId, record.id)),
      ...record,
      [tableAttributes.timeToLive]: Math.ceil((record.createdAt + keptMs) / 1_000),
    },
  },
});

/** Selects records; times in Unix milliseconds, inclusive. */
export type AuditSelection = {
  actorId?: string | undefined;
  resourceType?: AuditRecord["resource"]["type"] | undefined;
  resourceId?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
};

/** ORG#o#AUDIT / RECORD#…: the selected records of an organization, newest first, as of `now`. */
export const listAuditRecordsNewestFirst = async (
  db: Database,
  organizationId: string,
  { actorId, resourceType, resourceId, from = 0, to, now }: AuditSelection & { now: number },
  page: PageRequest,
): Promise<Page<AuditRecord>> => {
  const list = auditRecordsList(organizationId);
  const earliest = Math.max(from, now - keptMs);
  if (to !== undefined && to < earliest) return { items: [], nextPageToken: null };
  const between = uuidRange(list.prefix, earliest, to);
  const matches = ({ actor, resource }: AuditRecord): boolean =>
    (actorId === undefined || actor.id === actorId) &&
    (resourceType === undefined || resource.type === resourceType) &&
    (resourceId === undefined || resource.id === resourceId);
  return listMatchingPage(db, AuditRecord, { list, between, newestFirst: true, matches }, page);
};
