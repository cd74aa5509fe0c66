import { requireRole } from "../edge/authorize.ts";
import { isReader } from "../executions/read/read-execution.ts";
import { toExecutionResult } from "../executions/record/results.ts";
import { getKeptExecution } from "../executions/record/store.ts";
import { readEnd } from "../executions/record/values.ts";
import type { Database } from "../platform/db/database.ts";
import type { ObjectStore } from "../platform/db/large-value.ts";
import { hasScope } from "../tenancy/collaborator/may.ts";
import type { TenantContext } from "../tenancy/tenant/context.ts";
import { findWaitItems } from "./describe-waits.ts";
import { noResponse, parseResponseId } from "./ids.ts";
import type { OpenAiResponse } from "./schemas.ts";
import { buildMessage, formatOutput, toResponse, toResponseError } from "./to-response.ts";

const readScope = "executions:read";

/** Returns the response of an execution. Throws 404, also for one that the caller may not read. */
export const getResponse = async (
  storage: { db: Database; objects: ObjectStore },
  {
    ctx,
    id,
  }: { ctx: Pick<TenantContext, "tenant" | "principal" | "clock" | "baseUrl">; id: string },
): Promise<OpenAiResponse> => {
  const { tenant, principal, clock, baseUrl } = ctx;
  const key = parseResponseId(id);
  if (!key) throw noResponse(id, "response_id");
  const scope = hasScope(principal, readScope) ? readScope : "agents:execute";
  const row = { role: "Viewer", scope, access: { table: "read" }, readsAgent: false } as const;
  const caller = { principal, tenantId: tenant.id, agentId: key.agentId };
  await requireRole({ database: () => storage.db }, { row, ...caller });
  const found = await getKeptExecution(storage.db, tenant.id, { ...key, now: clock() });
  if (!found || !isReader(principal, readScope, found.item.trigger)) {
    throw noResponse(id, "response_id");
  }
  const { item } = found;
  const execution = toExecutionResult(item);
  const end = await readEnd(storage, found);
  const isDone = item.status === "Succeeded";
  const place = { tenantId: tenant.id, principal, baseUrl };
  const waiting = { ...place, execution: found, now: clock() };
  const waits = item.status === "Waiting" ? await findWaitItems(storage.db, waiting) : [];
  return toResponse(execution, {
    output: isDone ? [buildMessage(execution, formatOutput(end?.output))] : waits,
    error: toResponseError(end?.error),
    metadata: item.metadata,
  });
};
