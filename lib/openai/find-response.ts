import { requireRole } from "../edge/authorize.ts";
import { isReader } from "../executions/read/read-execution.ts";
import type { StoredExecution } from "../executions/record/execution-record.ts";
import { getKeptExecution } from "../executions/record/store.ts";
import type { Database } from "../platform/db/database.ts";
import { hasScope } from "../tenancy/collaborator/may.ts";
import type { TenantContext } from "../tenancy/tenant/context.ts";
import type { ResponseKey } from "./ids.ts";

/** The reader of a response. */
export type ReaderContext = Pick<TenantContext, "tenant" | "principal" | "clock">;

const readScope = "executions:read";

/**
 * Finds the execution of a response; undefined for one that does not exist, has expired, or that the caller may not read.
 * Throws 403 without a role at its agent.
 */
export const findResponse = async (
  { db }: { db: Database },
  { ctx: { tenant, principal, clock }, key }: { ctx: ReaderContext; key: ResponseKey },
): Promise<StoredExecution | undefined> => {
  const scope = hasScope(principal, readScope) ? readScope : "agents:execute";
  const row = { role: "Viewer", scope, access: { table: "read" }, readsAgent: false } as const;
  const caller = { principal, tenantId: tenant.id, agentId: key.agentId };
  await requireRole({ database: () => db }, { row, ...caller });
  const found = await getKeptExecution(db, tenant.id, { ...key, now: clock() });
  return found && isReader(principal, readScope, found.item.trigger) ? found : undefined;
};
