import { isDeepStrictEqual } from "node:util";
import { decideApproval } from "../approvals/decide-approval.ts";
import { describeDecision } from "../approvals/describe-decision.ts";
import { findWait } from "../approvals/find-wait.ts";
import type { ApprovalItem } from "../executions/approvals/approval-store.ts";
import type { ExecutionDeps } from "../executions/job/job.ts";
import { isReader } from "../executions/read/read-execution.ts";
import { collectCitations, fitCitations } from "../executions/read/read-spans.ts";
import { type Watched, watchExecution } from "../executions/read/watch-execution.ts";
import type { StoredExecution } from "../executions/record/execution-record.ts";
import { toExecutionKey } from "../executions/record/keys.ts";
import { findExecutionOfAgents } from "../executions/record/store.ts";
import { readEnd } from "../executions/record/values.ts";
import { cancelExecution } from "../executions/recover/cancel-execution.ts";
import { finalStatuses } from "../executions/schemas.ts";
import { linkOutputFiles } from "../files/output-files.ts";
import { isUuid } from "../platform/http/ids.ts";
import { insufficientScope, Problem } from "../platform/http/problems.ts";
import { withAudit } from "../tenancy/audit/with-audit.ts";
import { hasScope } from "../tenancy/collaborator/may.ts";
import { findRetention } from "../tenancy/tenant/find-owner.ts";
import type { JsonObject } from "../values/json/json.ts";
import { parseJson } from "../values/json/parse-json.ts";
import type { AgentCaller } from "./agent-caller.ts";
import { readInputResponse, toInputRequest } from "./ask-approval.ts";
import { describeFoundWait } from "./describe-wait.ts";
import type { McpTaskState, Outcome, ReadTask } from "./offer.ts";

const dayMs = 86_400_000;
/** Pauses that clients leave between two reads of a task. */
const pollMs = { running: 2_000, waiting: 10_000 } as const;

/** The tasks of one caller: the executions of agents that the server offers to them. */
export type AgentTasks = {
  /** Undefined for a task that does not exist for the caller. */
  read(id: string): Promise<ReadTask | undefined>;
  /**
   * Decides what a task waits for; ignores responses to what it does not wait for. False for a task that does not exist. Throws the
   * first refusal, after all responses were tried.
   */
  answer(id: string, responses: Readonly<Record<string, unknown>>): Promise<boolean>;
  /** Cancels an execution that has not ended. False for a task that does not exist. */
  cancel(id: string): Promise<boolean>;
  /** Finds a task to follow until it has ended. Undefined for a task that does not exist for the caller. */
  watch(id: string, limits: Pick<Watched, "until" | "hasLeft">): Promise<WatchedTask | undefined>;
};

/** A task to follow. `states`: as it was found, which is read only then, and after every change. */
export type WatchedTask = { isOver: boolean; states: AsyncIterable<ReadTask> };

/** Returns the tasks of a caller. They have no state of their own. */
export const agentTasks = (
  deps: ExecutionDeps,
  { caller, findAgentIds }: { caller: AgentCaller; findAgentIds: () => Promise<readonly string[]> },
): AgentTasks => {
  const find = async (id: string): Promise<StoredExecution | undefined> => {
    if (!isUuid(id)) return undefined;
    const found = await findExecutionOfAgents(deps.db, caller.tenant.id, {
      agentIds: await findAgentIds(),
      executionId: id.toLowerCase(),
      now: deps.runtime.clock(),
    });
    return found && isReader(caller.principal, "executions:read", found.item.trigger)
      ? found
      : undefined;
  };
  const decide = async (
    item: ApprovalItem,
    responses: Readonly<Record<string, unknown>>,
  ): Promise<void> => {
    const response = Object.hasOwn(responses, item.id) ? responses[item.id] : undefined;
    const body = response === undefined ? undefined : readInputResponse(item, response);
    if (!body) return;
    if (!hasScope(caller.principal, "agents:execute")) throw insufficientScope("agents:execute");
    const decider = { type: "caller", principal: caller.principal } as const;
    const decision = { tenant: caller.tenant, approvalId: item.id, decider, body };
    const db = withAudit(deps.db, caller, describeDecision(item.id, body));
    await decideApproval({ ...deps, db }, decision).catch(ignoreConflict);
  };
  return {
    read: async (id) => {
      const execution = await find(id);
      return execution && describeTask(deps, { caller, execution });
    },
    answer: async (id, responses) => {
      const execution = await find(id);
      if (!execution) return false;
      const { approvals } = await findWait(deps.db, { execution, now: deps.runtime.clock() });
      const refusals: unknown[] = [];
      for (const item of approvals) {
        await decide(item, responses).catch((error: unknown) => refusals.push(error));
      }
      if (refusals.length > 0)
        throw refusals.find((error) => !(error instanceof Problem)) ?? refusals[0];
      return true;
    },
    cancel: async (id) => {
      const execution = await find(id);
      if (!execution) return false;
      const key = toExecutionKey(execution.item);
      const resource = { type: "Execution", id: `${key.agentId}/${key.executionId}` } as const;
      const db = withAudit(deps.db, caller, { action: "cancelExecution", resource, changes: [] });
      await cancelExecution({ ...deps, db }, key).catch(ignoreConflict);
      return true;
    },
    watch: async (id, limits) => {
      const execution = await find(id);
      if (!execution) return undefined;
      const key = toExecutionKey(execution.item);
      const watched = { key, from: execution, throughWaits: true, ...limits };
      const isOver = finalStatuses.has(execution.item.status);
      return { isOver, states: describeStates(deps, { caller, watched }) };
    },
  };
};

/** Yields the task of a watched execution, and again whenever it is another one than before. */
async function* describeStates(
  deps: ExecutionDeps,
  { caller, watched }: { caller: AgentCaller; watched: Watched },
): AsyncGenerator<ReadTask> {
  let last = await describeTask(deps, { caller, execution: watched.from });
  yield last;
  for await (const execution of watchExecution(deps, watched)) {
    const changed = await describeTask(deps, { caller, execution });
    if (isDeepStrictEqual(changed, last)) continue;
    last = changed;
    yield changed;
  }
}

/** Ignores the conflict with an end or a decision in the meantime. A conflict with changes of others may be tried again. */
const ignoreConflict = (error: unknown): void => {
  const isOver =
    error instanceof Problem && error.slug === "conflict" && !("Retry-After" in error.headers);
  if (!isOver) throw error;
};

/** Builds the task of an execution, with its outcome or with what it waits for. */
export const describeTask = async (
  deps: Pick<ExecutionDeps, "db" | "objects" | "runtime">,
  { caller, execution }: { caller: AgentCaller; execution: StoredExecution },
): Promise<ReadTask> => {
  const { item } = execution;
  const retention = await findRetention(deps.db, caller.tenant.id, deps.runtime.clock());
  const times = {
    taskId: item.id,
    createdAt: formatTime(item.startTime),
    lastUpdatedAt: formatTime(item.endTime ?? item.startTime),
    ttlMs: retention.executionDays * dayMs,
  };
  const working: McpTaskState = { ...times, status: "working", pollIntervalMs: pollMs.running };
  if (!finalStatuses.has(item.status)) {
    // It still asks for what is not decided while a run looks at one of several decisions.
    const mayWait = item.status === "Waiting" || item.hasWaited === true;
    return mayWait ? readWaiting(deps, { caller, execution, working }) : { state: working };
  }
  if (item.status === "Cancelled") return { state: { ...working, status: "cancelled" } };
  const outcome = await readCallOutcome(deps, { execution, baseUrl: caller.baseUrl });
  return outcome ? { state: { ...working, status: "completed" }, outcome } : { state: working };
};

const readWaiting = async (
  { db, runtime }: Pick<ExecutionDeps, "db" | "runtime">,
  {
    caller,
    execution,
    working,
  }: { caller: AgentCaller; execution: StoredExecution; working: McpTaskState },
): Promise<ReadTask> => {
  const { agentId, id: executionId } = execution.item;
  const isWaiting = execution.item.status === "Waiting";
  const now = runtime.clock();
  // While it runs, those of its sub-agents are not searched.
  const found = await findWait(db, { execution, now, ownOnly: !isWaiting });
  const { approvals } = found;
  if (!isWaiting && approvals.length === 0) return { state: working };
  const { tenant, principal, baseUrl } = caller;
  const waiting = { tenantId: tenant.id, principal, baseUrl, execution: { agentId, executionId } };
  const statusMessage = describeFoundWait(waiting, found)?.detail;
  const state = {
    ...working,
    pollIntervalMs: pollMs.waiting,
    ...(statusMessage !== undefined && { statusMessage }),
  };
  if (approvals.length === 0) return { state };
  const inputRequests: Record<string, JsonObject> = {};
  for (const item of approvals) inputRequests[item.id] = await toInputRequest(db, { caller, item });
  return { state: { ...state, status: "input_required" }, inputRequests };
};

/** Reads what the call would have returned; undefined before the end is recorded. */
const readCallOutcome = async (
  deps: Pick<ExecutionDeps, "db" | "objects">,
  { execution, baseUrl }: { execution: StoredExecution; baseUrl: string },
): Promise<Outcome | undefined> => {
  const end = await readEnd(deps, execution);
  if (!end) return undefined;
  if (end.error) return { ok: false, detail: `${end.error.title}: ${end.error.detail}` };
  const output = parseJson(JSON.stringify(end.output ?? null));
  const value = output.ok ? output.value : null;
  const sessionId = execution.item.session?.id;
  return {
    ok: true,
    value,
    citations: fitCitations(collectCitations(end.trace), [value]),
    files: linkOutputFiles(value, { baseUrl, tenantId: execution.item.tenantId }),
    ...(sessionId !== undefined && { sessionId }),
  };
};

const formatTime = (time: number): string => new Date(time).toISOString();
