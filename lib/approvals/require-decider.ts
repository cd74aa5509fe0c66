import type { ApprovalItem } from "../executions/approvals/approval-item.ts";
import type { Database } from "../platform/db/database.ts";
import { isUuid } from "../platform/http/ids.ts";
import { notApprover } from "../platform/http/problems.ts";
import { getApiKey } from "../tenancy/api-key/store.ts";
import type { TenantOwner } from "../tenancy/tenant/store.ts";
import { createRolesReader, describeApprovers, isApprover } from "./approvers.ts";
import { type Decider, haveCommonName, listNames } from "./person.ts";

/** An approval, and the person who wants to decide it. */
type Deciding = {
  tenant: Pick<TenantOwner, "id" | "organizationId">;
  item: ApprovalItem;
  decider: Decider;
};

/** Throws 403 unless the decider may decide the approval at this moment. The signature of a link was verified. */
export const requireDecider = async (
  db: Database,
  { tenant, item, decider }: Deciding,
): Promise<void> => {
  const approvers = describeApprovers(item);
  const isAsked = await isAskedFor(db, { tenant, item, decider });
  if (!isAsked) throw notApprover(`Only its approvers may decide the approval: ${approvers}.`);
  if (item.allowStarter || item.starterId === null) return;
  const starter = await listStarterNames(db, tenant.organizationId, item.starterId);
  if (haveCommonName(starter, listNames(decider))) {
    const detail = `Who started the execution may not decide its approval. Approvers: ${approvers}.`;
    throw notApprover(detail);
  }
};

const isAskedFor = async (db: Database, { tenant, item, decider }: Deciding): Promise<boolean> => {
  switch (decider.type) {
    case "caller": {
      const { principal } = decider;
      return isApprover(item, principal, createRolesReader(db, tenant.id, principal));
    }
    case "chat":
      return item.approvers.chat !== undefined;
    case "link":
      return true;
  }
};

/** Returns the names of who started an execution; of a key, also those of the users who created it. */
const listStarterNames = async (
  db: Database,
  organizationId: string,
  starterId: string,
): Promise<string[]> => {
  const key = isUuid(starterId) ? await getApiKey(db, organizationId, starterId) : undefined;
  return [starterId, ...(key?.userIds ?? [])];
};
