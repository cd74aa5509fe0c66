import { toExecutionResult } from "../executions/record/results.ts";
import { readEnd } from "../executions/record/values.ts";
import type { Database } from "../platform/db/database.ts";
import type { ObjectStore } from "../platform/db/large-value.ts";
import type { TenantContext } from "../tenancy/tenant/context.ts";
import { findWaitItems } from "./describe-waits.ts";
import { findResponse, type ReaderContext } from "./find-response.ts";
import { noResponse, parseResponseId } from "./ids.ts";
import type { OpenAiResponse } from "./schemas.ts";
import { buildMessage, formatOutput, toResponse, toResponseError } from "./to-response.ts";

/** Returns the response of an execution. Throws 404, also for one that the caller may not read. */
export const getResponse = async (
  storage: { db: Database; objects: ObjectStore },
  { ctx, id }: { ctx: ReaderContext & Pick<TenantContext, "baseUrl">; id: string },
): Promise<OpenAiResponse> => {
  const { tenant, principal, clock, baseUrl } = ctx;
  const key = parseResponseId(id);
  const found = key && (await findResponse(storage, { ctx, key }));
  if (!found) throw noResponse(id, "response_id");
  const { item } = found;
  const execution = toExecutionResult(item);
  const result = await readEnd(storage, found, { needsTrace: false });
  const isDone = item.status === "Succeeded";
  const place = { tenantId: tenant.id, principal, baseUrl };
  const waiting = { ...place, execution: found, now: clock() };
  const waits = item.status === "Waiting" ? await findWaitItems(storage.db, waiting) : [];
  return toResponse(execution, {
    output: isDone ? [buildMessage(execution, formatOutput(result?.output))] : waits,
    error: toResponseError(result?.error),
    metadata: item.metadata,
  });
};
