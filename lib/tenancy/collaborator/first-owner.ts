import type { Principal } from "../../platform/auth/principal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { collaboratorKey } from "./keys.ts";
import type { CollaboratorItem } from "./schemas.ts";
import { collaboratorStatus } from "./status.ts";

/** Creates the Owner of a new agent from the calling user; undefined for an API key. `now` in Unix milliseconds. */
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
        alertPreferences: {
          errorAlerts: true,
          accessRequestAlerts: true,
          approvalAlerts: true,
          budgetAlerts: true,
        },
      }
    : undefined;

/** Counters of collaborators and Owners on a new agent's item. */
export const countersOfFirstOwner = { collaborators: 1, owners: 1 } as const;

/** Builds the write of an agent's first Owner. */
export const putFirstOwner = (tenantId: TenantId, owner: CollaboratorItem): TransactionWrite => ({
  Put: { Item: { ...collaboratorKey(tenantId, owner.agentId, owner.userId), ...owner } },
});
