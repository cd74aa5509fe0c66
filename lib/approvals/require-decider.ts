import type { ApprovalItem } from "../executions/approvals/approval-store.ts";
import type { Database } from "../platform/db/database.ts";
import { notApprover } from "../platform/http/problems.ts";
import { hasScope } from "../tenancy/collaborator/may.ts";
import type { TenantOwner } from "../tenancy/tenant/store.ts";
import { createRolesReader, describeApprovers, isApprover } from "./approvers.ts";
import { type Decider, haveCommonName, type LinkHolder } from "./person.ts";
import { createStarterReader, isExcludedStarter } from "./starter.ts";

/** An approval, and the person who wants to decide it. */
type Deciding = {
  tenant: Pick<TenantOwner, "id" | "organizationId">;
  item: ApprovalItem;
  decider: Decider;
};

/** Throws 403 unless the decider may decide the approval at this moment. The signature of a link, and the press in a chat, were verified. */
export const requireDecider = async (
  db: Database,
  { tenant, item, decider }: Deciding,
): Promise<void> => {
  const approvers = describeApprovers(item);
  const isAsked = await isAskedFor(db, { tenant, item, decider });
  if (!isAsked) throw notApprover(`Only its approvers may decide the approval: ${approvers}.`);
  const readStarterNames = createStarterReader(db, tenant.organizationId);
  if (await isExcludedStarter(item, decider, readStarterNames)) {
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
      return item.approvers.chat?.connectorId === decider.connectorId;
    case "link":
      return isHolderAskedFor(db, { tenant, item, holder: decider.holder });
  }
};

const isHolderAskedFor = async (
  db: Database,
  { tenant, item, holder }: Omit<Deciding, "decider"> & { holder: LinkHolder },
): Promise<boolean> => {
  switch (holder.type) {
    case "principal": {
      const { principal } = holder;
      if (!hasScope(principal, "agents:execute")) return false;
      return isApprover(item, principal, createRolesReader(db, tenant.id, principal));
    }
    case "mail":
      return haveCommonName(item.approvers.emails ?? [], [holder.address]);
    case "chat":
      return item.approvers.chat?.connectorId === holder.connectorId;
  }
};
