import type { Database } from "../db/database.ts";
import { type ObjectStore, packValue } from "../db/large-value.ts";
import type { FlowError, FlowResult } from "../flow/flow-result.ts";
import { conflict, Problem, problemRegistry } from "../http/problems.ts";
import type { TenantId } from "../tenant/tenant-id.ts";
import { countCost } from "./cost.ts";
import type { ExecutionError, ExecutionResult } from "./schemas.ts";
import { type ExecutionItem, putFinishedExecution } from "./store.ts";

/** A function's answer holds at most 6 MB, the rest of the record and JSON in JSON included. */
const largestOutputBytes = 5 * 1_048_576;

/**
 * Records how an execution ended and counts it, once. Returns the answer to the caller, or throws the
 * problem in which the execution ended.
 */
export const finishExecution = async (
  { db, objects }: { db: Database; objects: ObjectStore },
  tenantId: TenantId,
  { started, result, endTime }: { started: ExecutionItem; result: FlowResult; endTime: number },
): Promise<ExecutionResult> => {
  const ended = refuseLargeOutput(result);
  const usage = countCost(ended.usage);
  const { inputTokens, outputTokens, cachedTokens } = usage.tokens;
  const item: ExecutionItem = {
    ...started,
    status: ended.status,
    endTime,
    hasResult: ended.status === "Succeeded",
    inputTokens,
    outputTokens,
    cachedTokens,
    ...usage.cost,
  };
  const objectKey = `${tenantId}/${item.agentId}/executions/${item.id}/output`;
  const output = await packValue(ended.output, objectKey, objects);
  const error = ended.error && toExecutionError(ended.error);
  const written = await putFinishedExecution(db, tenantId, {
    item,
    output: { output, error },
    usage,
  });
  if (written === "already-final") {
    throw conflict(`The execution ${item.id} was ended by somebody else before it finished.`);
  }
  if (ended.error) throw problemOf(ended.error, item.id);
  return {
    executionId: item.id,
    agentId: item.agentId,
    agentRevision: item.agentRevision,
    status: item.status,
    output: ended.output,
    usage: usage.tokens,
    cost: usage.cost,
    startTime: item.startTime,
    endTime,
  };
};

const refuseLargeOutput = (result: FlowResult): FlowResult => {
  const bytes = Buffer.byteLength(JSON.stringify(result.output));
  if (bytes <= largestOutputBytes) return result;
  const detail = `The output has ${bytes} bytes; an answer takes at most ${largestOutputBytes}.`;
  const error: FlowError = { slug: "execution-failed", detail, step: null };
  return { ...result, status: "Failed", output: null, error };
};

const toExecutionError = ({
  slug,
  detail,
  step,
  upstream,
  upstreamStatus,
}: FlowError): ExecutionError => ({
  type: `/problems/${slug}`,
  title: problemRegistry[slug].title,
  status: problemRegistry[slug].status,
  detail,
  step,
  upstream: upstream ?? null,
  upstreamStatus: upstreamStatus ?? null,
});

const problemOf = (
  { slug, detail, step, upstream, upstreamStatus, cause }: FlowError,
  executionId: string,
) => new Problem(slug, detail, { members: { executionId, step, upstream, upstreamStatus }, cause });
