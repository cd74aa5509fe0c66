import * as z from "zod";
import { cutNote } from "../../engine/flow/cut-note.ts";
import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { notFound } from "../../platform/http/problems.ts";
import { maxResponseBytes, responseBytes } from "../../platform/http/response-size.ts";
import { listSteps } from "./checkpoint-store.ts";
import { toTraceSpan } from "./results.ts";
import { TraceSpan } from "./schemas.ts";
import { getExecution } from "./store.ts";
import { readEnd, toExecutionKey } from "./values.ts";

/** Truncates input and output, the larger first, until both fit in one response. */
export const fitDetail = (
  whole: { input: unknown; output: unknown },
  most = maxResponseBytes,
): { input: unknown; output: unknown } => {
  const bytes = { input: responseBytes(whole.input), output: responseBytes(whole.output) };
  if (bytes.input + bytes.output <= most) return whole;
  const larger = bytes.input > bytes.output ? "input" : "output";
  const smaller = larger === "input" ? "output" : "input";
  const cut = { ...whole, [larger]: cutNote(whole[larger]) };
  return bytes[smaller] + responseBytes(cut[larger]) <= most
    ? cut
    : { ...cut, [smaller]: cutNote(whole[smaller]) };
};

/** Returns the trace of an execution; while it runs in the background, the trace so far. Throws 404. */
export const readTrace = async (
  deps: { db: Database; objects: ObjectStore },
  tenantId: TenantId,
  agentId: string,
  executionId: string,
): Promise<{ executionId: string; spans: TraceSpan[] }> => {
  const execution = await getExecution(deps.db, tenantId, agentId, executionId);
  if (!execution) throw notFound("execution record", executionId);
  const end = await readEnd(deps, execution);
  if (end) return { executionId, spans: z.array(TraceSpan).parse(end.trace) };
  const steps = await listSteps(deps, toExecutionKey(execution.item));
  const spans = [...steps.values()].flatMap((step) => step.spans.map(toTraceSpan));
  return { executionId, spans: spans.toSorted((one, other) => one.startTime - other.startTime) };
};
