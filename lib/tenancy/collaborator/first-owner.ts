import type { Principal } from "../../platform/auth/principal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { collaboratorKey } from "./keys.ts";
import type { CollaboratorItem } from "./schemas.ts";
import { collaboratorStatus } from "./status.ts";

/** The user who creates an agent, as its Owner; undefined when an API key creates it. `now` in Unix milliseconds. */
export const firstOwner = (
  principal: Principal,
  agentId: string,
  now: number,
): CollaboratorItem | undefined =>
  principal.type === "User"
    ? {
        agentId,
        userId: principal.id,
        role: "Owner",
        email: principal.email,
        firstName: null,
        lastName: null,
        createdAt: now,
        modifiedAt: now,
        status: collaboratorStatus.active,
        alertPreferences: { errorAlerts: true, accessRequestAlerts: true, budgetAlerts: true },
      }
    : undefined;

/** What stands on a new agent's own item: how many collaborators it has, and how many of them are Owners. */
export const countersOfFirstOwner = { collaborators: 1, owners: 1 } as const;

/** Part of the transaction that creates an agent. */
export const putFirstOwner = (tenantId: TenantId, owner: CollaboratorItem): TransactionWrite => ({
  Put: { Item: { ...collaboratorKey(tenantId, owner.agentId, owner.userId), ...owner } },
});
