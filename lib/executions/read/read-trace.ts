import * as z from "zod";
import { hideContent } from "../../engine/flow/child-spans.ts";
import type { Span } from "../../engine/flow/flow-result.ts";
import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import { notFound } from "../../platform/http/problems.ts";
import { listSteps } from "../checkpoints/checkpoint-store.ts";
import { type ExecutionKey, toExecutionKey } from "../record/keys.ts";
import { toTraceSpan } from "../record/results.ts";
import { getKeptExecution } from "../record/store.ts";
import { readEnd } from "../record/values.ts";
import { TraceSpan } from "../schemas.ts";

/** Returns the trace of an execution, empty after it expired; while it runs in the background, the trace so far, with guardrails without content. Throws 404. */
export const readTrace = async (
  deps: { db: Database; objects: ObjectStore },
  { tenantId, agentId, executionId, now }: ExecutionKey & { now: number },
): Promise<{ executionId: string; spans: TraceSpan[] }> => {
  const execution = await getKeptExecution(deps.db, tenantId, { agentId, executionId, now });
  if (!execution) throw notFound("execution record", executionId);
  const end = await readEnd(deps, execution);
  if (end) return { executionId, spans: z.array(TraceSpan).parse(end.trace) };
  const steps = await listSteps(deps, toExecutionKey(execution.item), now);
  // Guardrails check what its steps have done when it ends.
  const show = (span: Span) =>
    execution.isGuarded ? hideContent(span, "It is shown when the execution has ended.") : span;
  const spans = [...steps.values()].flatMap((step) =>
    step.spans.map((span) => TraceSpan.parse(toTraceSpan(show(span)))),
  );
  return { executionId, spans: spans.toSorted((one, other) => one.startTime - other.startTime) };
};
