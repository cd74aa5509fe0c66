import {
  type ApprovalItem,
  listApprovals,
  listPendingApprovals,
} from "../executions/approvals/approval-store.ts";
import type { Principal } from "../platform/auth/principal.ts";
import type { Database } from "../platform/db/database.ts";
import { maxReadForPage } from "../platform/db/list-page.ts";
import type { Page, PageRequest } from "../platform/http/paging.ts";
import { maxResponseBytes, responseBytes } from "../platform/http/response-size.ts";
import { parseUuidTime } from "../platform/runtime/runtime.ts";
import { hasScope } from "../tenancy/collaborator/may.ts";
import type { TenantOwner } from "../tenancy/tenant/store.ts";
import { createRolesReader, isApprover } from "./approvers.ts";
import { type Decider, haveCommonName, listNames } from "./person.ts";
import type { Approval, ApprovalStatus } from "./schemas.ts";
import { createStarterReader, isExcludedStarter } from "./starter.ts";
import { toApproval } from "./to-approval.ts";

/**
 * Filters of a list of approvals. `executionId`: the execution that waits, or its outermost caller. `mayDecide`: pending
 * ones that the principal may decide, and has not.
 */
export type ApprovalFilter = {
  status?: ApprovalStatus | undefined;
  agentId?: string | undefined;
  executionId?: string | undefined;
  mayDecide?: boolean | undefined;
};

type ListRequest = {
  tenant: Pick<TenantOwner, "id" | "organizationId">;
  principal: Principal;
  filter: ApprovalFilter;
  /** Unix milliseconds. */
  now: number;
};

/** An approval is not older than its execution, but for the difference of two clocks. */
const clockSkewMs = 60_000;

/** Agents and starters that one page looks up, with one read for the roles at an agent, or for the users of a key. */
export const maxLookedUpForPage = 100;

/**
 * Lists a tenant's approvals, newest first: all of them for a principal that reads executions, otherwise those it is an
 * approver of. A page of filtered items may have fewer items than its size, or none, and still have a next one.
 */
export const listReadableApprovals = async (
  db: Database,
  request: ListRequest,
  { size, skip }: PageRequest,
): Promise<Page<Approval>> => {
  const filter = withStatus(request.filter);
  if (filter === "none") return { items: [], nextPageToken: null };
  const { status, executionId } = filter;
  const access = createAccess(db, request);
  const since = executionId === undefined ? 0 : parseUuidTime(executionId) - clockSkewMs;
  const list = status === "Pending" ? listPendingApprovals : listApprovals;
  const items: Approval[] = [];
  let [read, bytes] = [0, 0];
  for await (const item of list(db, request.tenant.id, { skip, since })) {
    const isFull =
      items.length === size ||
      bytes > maxResponseBytes / 2 ||
      read === maxReadForPage ||
      access.countLookedUp() >= maxLookedUpForPage;
    if (isFull) return { items, nextPageToken: String(skip + read) };
    read += 1;
    if (!matches(item, filter) || !(await access.isListed(item))) continue;
    const approval = toApproval(item, request.principal);
    bytes += responseBytes(approval);
    items.push(approval);
  }
  return { items, nextPageToken: null };
};

/** Returns the filter with the status that `mayDecide` implies; "none" where they exclude each other. */
const withStatus = (filter: ApprovalFilter): ApprovalFilter | "none" => {
  const { status = "Pending", mayDecide = false } = filter;
  if (!mayDecide) return filter;
  return status === "Pending" ? { ...filter, status } : "none";
};

const matches = (item: ApprovalItem, { status, agentId, executionId }: ApprovalFilter): boolean =>
  (status === undefined || item.status === status) &&
  (agentId === undefined || item.agentId === agentId) &&
  (executionId === undefined ||
    item.executionId === executionId ||
    item.root.executionId === executionId);

/** Creates the check of which approvals a principal's list has. */
const createAccess = (db: Database, { tenant, principal, filter, now }: ListRequest) => {
  const readRoles = createRolesReader(db, tenant.id, principal);
  const readStarterNames = createStarterReader(db, tenant.organizationId);
  const decider: Decider = { type: "caller", principal };
  const names = listNames(decider);
  const readsAll = hasScope(principal, "executions:read");
  const decides = hasScope(principal, "agents:execute");
  const lookedUp = new Set<string>();
  const isAsked = (item: ApprovalItem): Promise<boolean> => {
    lookedUp.add(item.agentId);
    return isApprover(item, principal, readRoles);
  };
  const mayDecide = async (item: ApprovalItem): Promise<boolean> => {
    const hasDecided = item.decisions.some(({ people }) => haveCommonName(people, names));
    if (!decides || item.expiresAt <= now || hasDecided || !(await isAsked(item))) return false;
    if (!item.allowStarter && item.starterId !== null) lookedUp.add(item.starterId);
    return !(await isExcludedStarter(item, decider, readStarterNames));
  };
  return {
    countLookedUp: () => lookedUp.size,
    isListed: async (item: ApprovalItem): Promise<boolean> =>
      filter.mayDecide ? mayDecide(item) : readsAll || isAsked(item),
  };
};
