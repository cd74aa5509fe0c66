import type { ApprovalItem } from "../executions/approvals/approval-store.ts";
import type { Database } from "../platform/db/database.ts";
import { isUuid } from "../platform/http/ids.ts";
import { getApiKey } from "../tenancy/api-key/store.ts";
import { type Decider, haveCommonName, listNames } from "./person.ts";

/** Reads the names of who started an execution; of a key, also those of the users who created it. */
export type ReadStarterNames = (starterId: string) => Promise<readonly string[]>;

/** Creates a reader of starters' names that reads those of a key once. */
export const createStarterReader = (db: Database, organizationId: string): ReadStarterNames => {
  const known = new Map<string, Promise<readonly string[]>>();
  const read = async (starterId: string): Promise<readonly string[]> => {
    const key = isUuid(starterId) ? await getApiKey(db, organizationId, starterId) : undefined;
    return [starterId, ...(key?.userIds ?? [])];
  };
  return (starterId) => {
    const reading = known.get(starterId) ?? read(starterId);
    known.set(starterId, reading);
    return reading;
  };
};

/** Returns whether a decider started the execution of an approval that its starter may not decide. */
export const isExcludedStarter = async (
  { allowStarter, starterId }: Pick<ApprovalItem, "allowStarter" | "starterId">,
  decider: Decider,
  readStarterNames: ReadStarterNames,
): Promise<boolean> =>
  !allowStarter &&
  starterId !== null &&
  haveCommonName(await readStarterNames(starterId), listNames(decider));
