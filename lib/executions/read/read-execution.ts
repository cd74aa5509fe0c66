import * as z from "zod";
import type { AgentItem } from "../../agents/agent/store.ts";
import { hideContent } from "../../engine/flow/child-spans.ts";
import { cutNote } from "../../engine/flow/cut-note.ts";
import type { Span } from "../../engine/flow/flow-result.ts";
import type { Principal } from "../../platform/auth/principal.ts";
import type { RequiredScope } from "../../platform/auth/scopes.ts";
import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import { insufficientScope, notFound } from "../../platform/http/problems.ts";
import { maxResponseBytes, responseBytes } from "../../platform/http/response-size.ts";
import { log } from "../../platform/runtime/log.ts";
import { parseUuidTime } from "../../platform/runtime/runtime.ts";
import { hasScope } from "../../tenancy/collaborator/may.ts";
import { listSteps } from "../checkpoints/checkpoint-store.ts";
import { listOpenWaits } from "../checkpoints/wait-store.ts";
import type { ExecutionDeps } from "../job/job.ts";
import { unwrittenMs } from "../lease/execution-lease.ts";
import type { ExecutionRecord, StoredExecution } from "../record/execution-record.ts";
import { type ExecutionKey, toExecutionKey } from "../record/keys.ts";
import { toTraceSpan } from "../record/results.ts";
import { findAgentAndExecution, getKeptExecution } from "../record/store.ts";
import { readEnd } from "../record/values.ts";
import {
  finalStatuses,
  getStarter,
  TraceSpan,
  type Trigger,
  type WaitSummary,
} from "../schemas.ts";

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

/** An execution that has ended, and its agent. */
export type EndedExecution = { agent: AgentItem; execution: StoredExecution };

/** Pauses in which an execution that has not ended is read again: its end is recorded after the message was sent. */
const pausesMs = [500, 1_000, 2_000, 4_000, 8_000];

/**
 * Reads an execution and its agent when it has ended; undefined when it, or its agent, was deleted. Waits a little for the end,
 * also of an execution without a record, which may be written with its end; rejects when there is none, unless it is too old.
 */
export const readEnded = async (
  { db, sleep, runtime }: Pick<ExecutionDeps, "db" | "sleep" | "runtime">,
  key: ExecutionKey,
): Promise<EndedExecution | undefined> => {
  const { executionId } = key;
  const { signal } = new AbortController();
  for (const pauseMs of [...pausesMs, undefined]) {
    const { agent, execution } = await findAgentAndExecution(db, key);
    if (!agent) return undefined;
    if (execution && finalStatuses.has(execution.item.status)) return { agent, execution };
    const isOld = runtime.clock() - parseUuidTime(executionId) > unwrittenMs;
    if (pauseMs !== undefined) await sleep(pauseMs, signal);
    else if (!execution && isOld) {
      log("execution-not-found", { executionId });
      return undefined;
    }
  }
  throw new Error(`the execution ${executionId} has not ended`);
};

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

/**
 * Requires the scope of a caller who did not start the execution. Throws 403, also when the
 * execution does not exist.
 */
export const requireScopeOrStarter = (
  principal: Principal,
  scope: RequiredScope,
  trigger: Trigger | undefined,
): void => {
  if (!isReader(principal, scope, trigger)) throw insufficientScope(scope);
};

/** Returns whether a caller has the scope, or started the execution. */
export const isReader = (
  principal: Principal,
  scope: RequiredScope,
  trigger: Trigger | undefined,
): boolean => hasScope(principal, scope) || getStarter(trigger) === principal.id;

/** Returns a stored error with the URL of its problem type for a caller; null for none. */
export const atBasePath = <Stored extends { type: string }>(
  error: Stored | null | undefined,
  basePath: string,
): Stored | null => (error ? { ...error, type: `${basePath}${error.type}` } : null);

/** Reads the open waits of an execution that waits at a time, the first end first; none, without a call, for another. */
export const readWaits = async (
  db: Database,
  item: Pick<ExecutionRecord, "id" | "agentId" | "tenantId" | "status">,
  now: number,
): Promise<WaitSummary[]> => {
  if (item.status !== "Waiting") return [];
  const waits = await listOpenWaits(db, toExecutionKey(item), now);
  return waits.map(({ kind, path, since, until, approvalId = null }) => ({
    kind,
    path,
    since,
    until,
    approvalId,
  }));
};
