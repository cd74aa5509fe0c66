import { AgentItem } from "../../agents/agent/store.ts";
import type { RevisionContent } from "../../agents/revision/content.ts";
import type { Draft } from "../../agents/revision/draft.ts";
import {
  type Deployed,
  loadDeployed,
  loadDeployedForAgent,
} from "../../agents/revision/load-deployed.ts";
import type { EventSink } from "../../edge/event-stream.ts";
import type { TakeSlot } from "../../edge/limit-concurrency.ts";
import type { FlowEvent } from "../../engine/flow/flow-result.ts";
import { mayActForEndUsers } from "../../integrations/connection/connection-owner.ts";
import type { Principal } from "../../platform/auth/principal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Once } from "../../platform/http/call-context.ts";
import {
  budgetExceeded,
  conflict,
  guardrailBlocked,
  notFound,
  type ValidationIssue,
  validationFailed,
} from "../../platform/http/problems.ts";
import { toIssuePointer } from "../../platform/http/zod-error-map.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { newUuid, parseUuidTime } from "../../platform/runtime/runtime.ts";
import { endWaits } from "../../platform/runtime/wait.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import type { TraceContext } from "../../platform/tracing/trace-context.ts";
import { budgetDetail } from "../../spending/budget/check-budget.ts";
import { authorizeEffect } from "../../tenancy/collaborator/authorize.ts";
import { effects } from "../../tenancy/collaborator/may.ts";
import type { ReadAgent } from "../../tenancy/tenant/context.ts";
import type { TenantOwner } from "../../tenancy/tenant/store.ts";
import type { JsonObject } from "../../values/json/json.ts";
import type { ExecutionDeps, Job } from "../job/job.ts";
import { jobSecrets, maskInEvents } from "../job/masks.ts";
import { maxExecutionMs } from "../lease/execution-lease.ts";
import { collectCitations, fitCitations } from "../read/read-spans.ts";
import type { ExecutionRecord } from "../record/execution-record.ts";
import { toExecutionKey } from "../record/keys.ts";
import {
  type RunOutcome,
  readOutcome,
  toExecutionProblem,
  toExecutionResult,
} from "../record/results.ts";
import { getExecution } from "../record/store.ts";
import type {
  CallerContext,
  ExecuteAgentBody,
  ExecutionResult,
  SessionBody,
  Trigger,
} from "../schemas.ts";
import { toSessionPlace } from "../session/keys.ts";
import { requireOwnSession, SessionRefused } from "../session/occupy-session.ts";
import { findRequiredStarter } from "../session/session-item.ts";
import {
  planStart,
  type RequestedSession,
  type Runner,
  type StartPlan,
} from "../start/plan-start.ts";
import { buildJob, releaseStart, startExecution } from "../start/start-execution.ts";
import { awaitTurn } from "./await-turn.ts";
import { type OwnSlot, occupySlot, takeRunSlot } from "./occupy-slot.ts";
import type { RunEnd } from "./run-context.ts";
import { mayRunAtOnce, runAtOnce, runOpenExecution } from "./run-execution.ts";

/** Maximum time that a caller waits before an execution continues in the background. */
const maxWaitMs = 25_000;

/** An execution request. */
export type ExecuteRequest = {
  agentId: string;
  body: ExecuteAgentBody;
  /** Builds the body, but for its revision, from the revision that runs; for callers who do not send it themselves. */
  complete?: ((deployed: Deployed) => CompletedBody) | undefined;
  /** Members next to `input` that are not known. */
  ignored?: readonly string[];
  /** The draft to run instead of a revision. */
  draft?: Draft | undefined;
  /** Trigger type: API or test. */
  triggerType: Trigger["type"];
  isSample: boolean;
  /** Whether it is refused, and not queued, when the tenant has no slot left. Default: samples only. */
  isRefused?: boolean | undefined;
  /** Maximum wait of the caller; undefined for the general maximum, 0 for no wait. */
  waitMs: number | undefined;
};

/** Cause of the 409 of an agent without a deployed revision. The other 409s are about the session. */
export class NotDeployed extends Error {
  override readonly name = "NotDeployed";
}

/** A body that was built for a revision, and the context of its inputs. */
export type CompletedBody = Omit<ExecuteAgentBody, "revision"> & {
  context?: CallerContext | undefined;
  /** Parameters of the request that its response repeats; undefined for none. */
  repeated?: JsonObject | undefined;
};

/** The wait of an execution: the ids of its approvals, and its earliest end in Unix milliseconds. */
export type ExecutionWait = { approvals: readonly string[]; until: number };

/** The caller of an execution and the ways to respond. */
export type ExecuteContext = {
  tenant: Pick<TenantOwner, "id" | "organizationId">;
  principal: Principal;
  /** When the function times out, Unix milliseconds. */
  deadline: number;
  events: EventSink | undefined;
  /** Receives the events of the run while it is this function's, for a caller without a stream of them. Secrets are masked. */
  onEvent?: ((event: FlowEvent) => void) | undefined;
  /** Called before the result of an execution that waits. */
  onWaiting?: ((wait: ExecutionWait) => void) | undefined;
  /** Called with the outcome of an execution that has ended, before its result. */
  onEnded?: ((outcome: RunOutcome) => void) | undefined;
  waitUntil: (work: Promise<void>) => void;
  /** The agent, if it was read with the caller's role. */
  readAgent?: ReadAgent | undefined;
  /** Undefined for a request without an Idempotency-Key. */
  once?: Once | undefined;
  /** Takes one of the tenant's slots; undefined for a caller that has one, or needs none. */
  takeSlot?: TakeSlot | undefined;
  /** The trace that the caller's request is part of. */
  traceContext?: TraceContext | undefined;
  /** Processor budget of the input checks; default: one of its own. */
  processor?: ProcessorBudget | undefined;
};

/**
 * Runs an agent's deployed or requested revision. Waits as long as the caller prefers, then a worker continues it
 * after the steps in progress; a caller of events waits until the end. When the tenant has no slot left, a worker runs it
 * from its start, and a caller of events or of a test gets 429. It waits for a busy session. Throws 403 for sub-agents that the caller may
 * not run, 404 and 409 without a revision to run, 400 for invalid inputs, 402 when the budget is used up, and the
 * problem that the execution ended with. The status of the result is not final where a worker continues it.
 */
export const executeAgent = async (
  deps: ExecutionDeps,
  { ctx, ...input }: { ctx: ExecuteContext } & ExecuteRequest,
): Promise<ExecutionResult> => {
  const place = { tenantId: ctx.tenant.id, agentId: input.agentId };
  // An earlier attempt of this request may have started one.
  const earlier = await findWritten(deps, { ctx, ...place, ids: ctx.once?.earlier ?? [] });
  if (earlier) return earlier;
  const planned = await planExecution(deps, { ctx, input });
  const { waitMs, isRefused = input.isSample } = input;
  const { takeSlot, events } = ctx;
  const taker = { takeSlot, isRefused, isStream: events !== undefined };
  const takeOne = () => takeRunSlot(taker, planned.deployed);
  const slot = waitMs === 0 ? "none" : await takeOne().catch(releaseRefused(deps, planned));
  // Of a short run, which takes no slot, nothing is seen before it ends.
  const isUnseen = slot === "later" && !events && !ctx.onEvent;
  const isAtOnce = isUnseen && mayRunAtOnce(planned);
  const outcome = isAtOnce ? await runAtOnce(deps, planned) : undefined;
  if (outcome) return respond(outcome.item, outcome, ctx);
  return startPlanned(deps, { ctx, planned, slot: isAtOnce ? "soon" : slot, waitMs });
};

/** Starts an execution, and runs it with the slot of its caller, or on the queue with "none". */
const startPlanned = async (
  deps: ExecutionDeps,
  {
    ctx,
    planned,
    slot,
    waitMs,
  }: Pick<CallersRun, "ctx" | "waitMs"> & { planned: StartPlan; slot: OwnSlot | "none" },
): Promise<ExecutionResult> => {
  const { start, deployed } = planned;
  const { session, tenantId, agentId } = start;
  const { agent } = deployed;
  const owner = newUuid(deps.runtime);
  const until = slot === "none" ? 0 : waitUntil(start, ctx, waitMs);
  const runner: Runner =
    slot === "none" ? { type: "worker", agent } : { type: "caller", owner, agent };
  const { item, isNew, isDormant } = await startExecution(deps, {
    ...start,
    ...(session && { session: { ...session, until } }),
    runner,
  }).catch(async (error: unknown) => {
    if (typeof slot === "object") await slot.release();
    throw error instanceof SessionRefused ? conflict(error.message) : error;
  });
  // The storage may have written the end of its first run and failed to say so.
  if (!isNew) {
    if (typeof slot === "object") await slot.release();
    const written = await findWritten(deps, { ctx, tenantId, agentId, ids: [item.id] });
    return written ?? toExecutionResult(item);
  }
  if (slot === "none") return toExecutionResult(item);
  const endsBy = item.startTime + maxExecutionMs;
  const job = buildJob(planned, { item, owner, endsBy });
  if (isDormant) return takeTurn(deps, { ctx, job, slot, waitMs, until });
  return runAndWait(deps, { ctx, job, slot, waitMs });
};

/** Returns what removes the files of a planned execution that an error refuses, and throws the error. */
const releaseRefused =
  (deps: ExecutionDeps, { start }: StartPlan) =>
  async (error: unknown): Promise<never> => {
    await releaseStart(deps, start);
    throw error;
  };

/** Time that a run needs at least: a stream does not wait longer for its turn. */
const shortestRunMs = 60_000;

/** Returns until when the caller waits for its turn in a session, Unix milliseconds. */
const waitUntil = (
  { id }: Pick<StartPlan["start"], "id">,
  { events, deadline }: ExecuteContext,
  waitMs = maxWaitMs,
): number => (events ? deadline - shortestRunMs : parseUuidTime(id) + waitMs);

type CallersRun = {
  ctx: ExecuteContext;
  job: Job & { owner: string };
  slot: OwnSlot;
  waitMs: number | undefined;
  /** Whether its stream has begun. */
  isAnnounced?: boolean;
};

/** Runs an execution when it has its turn in its session. Waiting takes a slot; without one left, a worker runs it. */
const takeTurn = async (
  deps: ExecutionDeps,
  { until, ...run }: CallersRun & { until: number },
): Promise<ExecutionResult> => {
  const { ctx, job, waitMs } = run;
  const { events, takeSlot } = ctx;
  const slot = run.slot === "later" && takeSlot ? await takeSlot() : run.slot;
  const key = toExecutionKey(job.item);
  events?.send("execution.started", toExecutionResult(job.item));
  const hasLeft = () => slot === undefined || (events !== undefined && !events.isOpen());
  const turn = await awaitTurn(deps, { key, owner: job.owner, until, hasLeft }).catch(
    (error: unknown): "late" => {
      log("execution-continues", { executionId: job.item.id, error: asError(error) });
      return "late";
    },
  );
  if (turn !== "late" && "claimed" in turn && slot !== undefined) {
    const { item, lease } = turn.claimed;
    const claimed = { ...job, item, endsBy: lease.endsBy ?? job.endsBy };
    return runAndWait(deps, { ctx, job: claimed, slot, waitMs, isAnnounced: true });
  }
  if (typeof slot === "object") await slot.release();
  if (turn === "late" || "claimed" in turn) return toExecutionResult(job.item);
  return respond(turn.execution.item, turn.end, { onEnded: ctx.onEnded });
};

/** Returns the first of several executions that was written; undefined where none was. */
const findWritten = async (
  { db, objects }: ExecutionDeps,
  {
    ctx: { onEnded },
    tenantId,
    agentId,
    ids,
  }: { ctx: ExecuteContext; tenantId: TenantId; agentId: string; ids: readonly string[] },
): Promise<ExecutionResult | undefined> => {
  const found = await Promise.all(ids.map((id) => getExecution(db, tenantId, agentId, id)));
  const execution = found.find((item) => item !== undefined);
  if (!execution) return undefined;
  const { item } = execution;
  return respond(item, (await readOutcome({ db, objects }, execution)) ?? "open", { onEnded });
};

const planExecution = async (
  deps: ExecutionDeps,
  {
    ctx,
    input: { agentId, body: given, complete, draft, isSample, triggerType, ignored = [] },
  }: { ctx: ExecuteContext; input: ExecuteRequest },
): Promise<StartPlan> => {
  const { tenant, principal } = ctx;
  const { processor = new ProcessorBudget(tenant.id, processorLimits.requestMs) } = ctx;
  const requested = given.revision;
  const deployed = draft?.deployed ?? (await requireRevision(deps, { ctx, agentId, requested }));
  const { agent, agentRevision, revision } = deployed;
  const body: CompletedBody = complete?.(deployed) ?? given;
  if (isSample || agentRevision !== agent.deployedRevision) {
    // Sub-agents of a deployed revision run with the permissions of the user who deployed it.
    const effect = isSample ? effects.test : effects.run;
    const caller = { principal, tenantId: tenant.id };
    await authorizeEffect(deps.db, caller, effect, revision.flow.agentIds);
  }
  const requiredStarter = findRequiredStarter(principal);
  if (body.session?.id !== undefined && requiredStarter !== undefined) {
    const { id } = body.session;
    const place = toSessionPlace(tenant.id, agentId, id);
    await requireOwnSession(deps.db, { place, id, requiredStarter, now: deps.runtime.clock() });
  }
  const { parametersMetadata } = revision.content;
  const declared = parametersMetadata.map(({ name }) => name);
  const misplaced = ignored.filter((name) => declared.includes(name));
  const strays = (names: readonly string[]) => names.map((name) => describeStray(name, declared));
  if (misplaced.length > 0) throw validationFailed(strays(ignored));
  const { useSession } = revision.content;
  const session = toRequestedSession(deps, body.session, { useSession, requiredStarter });
  const request = {
    tenantId: tenant.id,
    executionId: ctx.once?.token ?? newUuid(deps.runtime),
    trigger: { type: triggerType, id: principal.id, provider: null },
    input: body.input ?? {},
    context: body.context,
    ...(body.repeated && { repeated: body.repeated }),
    metadata: body.metadata ?? {},
    fileReader: { principal },
    isSample,
    traceContext: ctx.traceContext,
    session,
    ...(session && !mayActForEndUsers(principal) && { actsForSelf: true }),
    ...(draft && { draft: { stored: draft.stored, secrets: draft.secrets } }),
  };
  const plan = await planStart(deps, { deployed, request, processor, takeSlot: ctx.takeSlot });
  if ("errors" in plan) throw validationFailed([...plan.errors, ...strays(ignored)]);
  if ("blocked" in plan) throw guardrailBlocked(plan.detail, plan.blocked);
  if ("exceeded" in plan) throw budgetExceeded(budgetDetail(plan.exceeded), plan.exceeded);
  return plan;
};

/** Returns the session of a call, with an id of its own unless the caller names one; undefined for none. */
const toRequestedSession = (
  { runtime }: Pick<ExecutionDeps, "runtime">,
  body: SessionBody | undefined,
  {
    useSession,
    requiredStarter,
  }: Pick<RevisionContent, "useSession"> & Pick<RequestedSession, "requiredStarter">,
): RequestedSession | undefined => {
  if (!body && !useSession) return undefined;
  const { id = newUuid(runtime), endUserId, whenBusy = "wait" } = body ?? {};
  return { id, requiredStarter, endUserId, whenBusy, isOneUsers: true, until: 0 };
};

const toAgentItem = ({ item }: ReadAgent): AgentItem | undefined =>
  item === undefined ? undefined : AgentItem.parse(item);

const describeStray = (name: string, declared: readonly string[]): ValidationIssue => ({
  pointer: toIssuePointer([name]),
  detail: declared.includes(name)
    ? `is an input of the agent: send it as /input${toIssuePointer([name])}`
    : 'is not a member of this body; inputs belong in "input"',
});

const requireRevision = async (
  deps: ExecutionDeps,
  {
    ctx: {
      tenant: { id },
      readAgent,
    },
    agentId,
    requested,
  }: {
    ctx: Pick<ExecuteContext, "tenant" | "readAgent">;
    agentId: string;
    requested: number | undefined;
  },
): Promise<Deployed> => {
  const loaded = readAgent
    ? await loadDeployedForAgent(deps, id, toAgentItem(readAgent), requested)
    : await loadDeployed(deps, { tenantId: id, agentId, requested });
  if (!("missing" in loaded)) return loaded;
  switch (loaded.missing) {
    case "agent":
      throw notFound("agent", agentId);
    case "deployment":
      throw conflict(
        `The agent "${agentId}" has no deployed revision. Deploy one first.`,
        new NotDeployed(),
      );
    case "revision":
      throw notFound("revision", `${agentId}/${loaded.agentRevision}`);
  }
};

/** Storage failures after the execution is recorded are not errors of the request: another run continues it. */
const runAndWait = async (
  deps: ExecutionDeps,
  { ctx, job, slot, waitMs = maxWaitMs, isAnnounced = false }: CallersRun,
): Promise<ExecutionResult> => {
  const { events } = ctx;
  const { item } = job;
  const receive = events ? (event: FlowEvent) => forward(events, event) : ctx.onEvent;
  if (!isAnnounced) events?.send("execution.started", toExecutionResult(item));
  const run = runOpenExecution(deps, {
    job,
    options: {
      deadline: ctx.deadline,
      inBackground: false,
      ...(receive && { emit: maskInEvents(jobSecrets(job).inTraces, receive) }),
    },
  });
  const ended = run.ended.catch((error: unknown): "open" => {
    log("execution-continues", {
      executionId: item.id,
      error: asError(error),
    });
    return "open";
  });
  ctx.waitUntil(occupySlot(deps, { takeSlot: ctx.takeSlot, run, ended, slot }));
  const over = new AbortController();
  const sleepUntil = (time: number) => deps.sleep(time - deps.runtime.clock(), over.signal);
  const storeSteps = async (): Promise<void> => {
    await sleepUntil(item.startTime + maxWaitMs);
    if (!over.signal.aborted) await run.toBackground();
  };
  if (waitMs > maxWaitMs) void storeSteps().catch(() => undefined);
  const waited = sleepUntil(item.startTime + waitMs);
  const first = await Promise.race([ended, waited.then(() => undefined)]);
  endWaits(over);
  if (first) return respond(item, first, ctx);
  if (!events) {
    await run.toQueue().catch(() => undefined);
    return toExecutionResult(item);
  }
  await run.toBackground().catch(() => undefined);
  return respond(item, await ended, ctx);
};

const forward = (events: EventSink, { type, ...event }: FlowEvent): void =>
  events.send(type, event);

/** Returns the result of an execution, without an output while another run continues it; throws the problem that ended it. */
const respond = (
  item: ExecutionRecord,
  end: RunEnd,
  caller?: Partial<Pick<ExecuteContext, "events" | "onWaiting" | "onEnded">>,
): ExecutionResult => {
  if (end === "open") return toExecutionResult(item);
  if ("waitsUntil" in end) {
    const result = toExecutionResult({ ...item, status: "Waiting" });
    const wait = { approvals: end.approvals, until: end.waitsUntil };
    caller?.events?.send("execution.waiting", { ...result, ...wait });
    caller?.onWaiting?.(wait);
    return result;
  }
  const outcome = end;
  caller?.onEnded?.(outcome);
  if (outcome.error) throw toExecutionProblem(outcome.error, item.id);
  const { output, trace } = outcome;
  const citations = fitCitations(collectCitations(trace), [output]);
  return { ...toExecutionResult(outcome.item), output, citations };
};
