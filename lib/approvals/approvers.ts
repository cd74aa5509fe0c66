import type { ApprovalItem } from "../executions/approvals/approval-store.ts";
import type { Principal } from "../platform/auth/principal.ts";
import type { Database } from "../platform/db/database.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { decide } from "../tenancy/collaborator/may.ts";
import { type CollaboratorRole, reaches } from "../tenancy/collaborator/role.ts";
import { getHeldRoles } from "../tenancy/collaborator/role-store.ts";
import { haveCommonName, listNames } from "./person.ts";

type Approvers = ApprovalItem["approvers"];

/** Reads the roles of a principal's users at an agent. */
export type ReadRoles = (agentId: string) => Promise<readonly CollaboratorRole[]>;

/** Creates a reader of a principal's roles that reads those at an agent once. */
export const createRolesReader = (
  db: Database,
  tenantId: TenantId,
  { userIds }: Pick<Principal, "userIds">,
): ReadRoles => {
  const known = new Map<string, Promise<readonly CollaboratorRole[]>>();
  return (agentId) => {
    const reading =
      known.get(agentId) ??
      getHeldRoles(db, tenantId, [agentId], userIds).then((held) => held.map(({ role }) => role));
    known.set(agentId, reading);
    return reading;
  };
};

/** Returns the roles that may decide: Owners and Editors where no approvers are named; null for none. */
export const approverRoles = ({ users, roles, emails, chat }: Approvers) => {
  if (roles) return [...roles];
  return users || emails || chat ? null : (["Owner", "Editor"] satisfies CollaboratorRole[]);
};

/**
 * Returns whether a principal with the scope is one of the approvers: by a name, or by its role at the agent. A higher
 * role includes a lower one, and principals who are not limited by roles have all of them.
 */
export const isApprover = async (
  { agentId, approvers }: Pick<ApprovalItem, "agentId" | "approvers">,
  principal: Principal,
  readRoles: ReadRoles,
): Promise<boolean> => {
  const named = [...(approvers.users ?? []), ...(approvers.emails ?? [])];
  if (haveCommonName(named, listNames({ type: "caller", principal }))) return true;
  const roles = approverRoles(approvers) ?? [];
  const role = roles.toSorted((one, other) => (reaches(one, other) ? 1 : -1))[0];
  if (role === undefined) return false;
  const requirement = { scope: "agents:execute", role } as const;
  return decide(principal, requirement, await readRoles(agentId)).allowed;
};

const maxListed = 10;

/** Formats who may decide: `ada@example.com; Owners and Editors of the agent "pay"`. */
export const describeApprovers = ({
  agentId,
  approvers,
}: Pick<ApprovalItem, "agentId" | "approvers">): string => {
  const named = [...(approvers.users ?? []), ...(approvers.emails ?? [])];
  const roles = approverRoles(approvers) ?? [];
  const parts = [
    ...named.slice(0, maxListed),
    ...(named.length > maxListed ? [`${named.length - maxListed} more`] : []),
    ...(roles.length > 0
      ? [`${roles.map((role) => `${role}s`).join(" and ")} of the agent "${agentId}"`]
      : []),
    ...(approvers.chat ? [`the chat of the connector "${approvers.chat.connectorId}"`] : []),
  ];
  return parts.join("; ") || "none";
};
