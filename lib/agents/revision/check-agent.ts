import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { ValidationIssue } from "../../platform/http/problems.ts";
import { getAgent } from "../agent/store.ts";
import { getRevisionItem } from "./store.ts";

/**
 * Checks that the agent of the assets and its revision exist; returns the problems with pointers.
 */
export const checkAgent = async (
  db: Database,
  tenantId: TenantId,
  { agentId, revision }: { agentId?: string | undefined; revision?: string | undefined },
): Promise<ValidationIssue[]> => {
  if (agentId === undefined) return [{ pointer: "/agentId", detail: "is required for an asset" }];
  if (!(await getAgent(db, tenantId, agentId))) {
    return [{ pointer: "/agentId", detail: "is not an agent of this tenant" }];
  }
  if (revision === undefined) return [];
  const found = await getRevisionItem(db, tenantId, agentId, Number(revision));
  return found ? [] : [{ pointer: "/revision", detail: `is not a revision of ${agentId}` }];
};
