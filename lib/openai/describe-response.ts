import type { StoredExecution } from "../executions/record/execution-record.ts";
import { toExecutionResult } from "../executions/record/results.ts";
import { readEnd, readInput } from "../executions/record/values.ts";
import type { Database } from "../platform/db/database.ts";
import type { ObjectStore } from "../platform/db/large-value.ts";
import type { TenantContext } from "../tenancy/tenant/context.ts";
import { findWaitItems } from "./describe-waits.ts";
import type { ReaderContext } from "./find-response.ts";
import { readRepeated } from "./repeated-request.ts";
import type { OpenAiResponse } from "./schemas.ts";
import {
  buildMessage,
  formatOutput,
  hasReached,
  toResponse,
  toResponseError,
} from "./to-response.ts";
import { wasCut } from "./was-cut.ts";

/** Storage of responses. */
export type ResponseStorage = { db: Database; objects: ObjectStore };

/** The reader of a response, at the address of the request. */
export type DescribeContext = ReaderContext & Pick<TenantContext, "baseUrl">;

/** Describes a stored execution as its response, with what the response repeats of its request. */
export const describeResponse = async (
  storage: ResponseStorage,
  { ctx, found }: { ctx: DescribeContext; found: StoredExecution },
): Promise<OpenAiResponse> => {
  const { tenant, principal, clock, baseUrl } = ctx;
  const { item, isTraceExpired } = found;
  const execution = toExecutionResult(item);
  const { repeated, context } = await readInput(storage, found);
  const request = { ...readRepeated(repeated), instructions: context?.instructions };
  const limit = request.max_output_tokens;
  const result = await readEnd(storage, found, { needsTrace: limit !== undefined });
  const isDone = item.status === "Succeeded";
  const place = { tenantId: tenant.id, principal, baseUrl };
  const waiting = { ...place, execution: found, now: clock() };
  const waits = item.status === "Waiting" ? await findWaitItems(storage.db, waiting) : [];
  return toResponse(execution, {
    request,
    isCut: isTraceExpired ? hasReached(execution, limit) : wasCut(result?.trace ?? [], limit),
    output: isDone ? [buildMessage(execution, formatOutput(result?.output))] : waits,
    error: toResponseError(result?.error),
    metadata: item.metadata,
  });
};
