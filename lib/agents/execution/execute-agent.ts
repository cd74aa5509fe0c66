import type { EventStream } from "../../edge/event-stream.ts";
import { Reply } from "../../edge/respond.ts";
import type { FlowEvent } from "../../engine/flow/flow-result.ts";
import { checkInputs } from "../../json/check-inputs.ts";
import type { Principal } from "../../platform/auth/principal.ts";
import type { Once } from "../../platform/http/call-context.ts";
import { conflict, notFound, validationFailed } from "../../platform/http/problems.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { authorize } from "../../tenancy/collaborator/authorize.ts";
import { effects } from "../../tenancy/collaborator/may.ts";
import type { TenantOwner } from "../../tenancy/tenant/store.ts";
import { type AgentItem, getAgent } from "../agent/store.ts";
import { assertBudgetLeft } from "../budget/assert-budget-left.ts";
import type { ExecutionDeps } from "./context.ts";
import { enqueueExecution } from "./enqueue-execution.ts";
import { toProblem } from "./error.ts";
import { endOf } from "./find-end.ts";
import { hideInEvents } from "./hide-in-events.ts";
import { secretValues } from "./hide-in-trace.ts";
import type { ExecutionItem } from "./items.ts";
import type { Job } from "./job.ts";
import { newExecution } from "./new-execution.ts";
import { putOpen } from "./open-store.ts";
import type { Preference } from "./prefer.ts";
import type { RunEnd } from "./run-context.ts";
import { runOpenExecution } from "./run-open-execution.ts";
import type { ExecuteAgentBody, ExecutionResult, Trigger } from "./schemas.ts";
import { getExecution, putNewExecution } from "./store.ts";
import { leaseMs, longestExecutionMs, longestWaitMs, resendAfterMs } from "./times.ts";
import { toResult } from "./to-result.ts";

/** An execution request. */
export type ExecuteRequest = {
  agentId: string;
  body: ExecuteAgentBody;
  /** Trigger type: API or test. */
  triggerType: Trigger["type"];
  isSample: boolean;
  preference: Preference;
};

/** The caller of an execution and the ways to respond. */
export type ExecuteContext = {
  tenant: TenantOwner;
  principal: Principal;
  /** When the function times out, Unix milliseconds. */
  deadline: number;
  /** Path of the agent as in the request, used in `Location`. */
  agentPath: string;
  events: EventStream | undefined;
  waitUntil: (work: Promise<void>) => void;
  /** Undefined for a request without an Idempotency-Key. */
  once?: Once | undefined;
  /** Processor budget of the input checks; default: one of its own. */
  processor?: ProcessorBudget | undefined;
};

/**
 * Runs an agent's deployed or requested revision. Waits as long as the caller prefers, then responds with 202
 * and continues in the background. Throws 403 for sub-agents that the caller may not run, 404 and 409 without
 * a revision to run, 400 for invalid inputs, 402 when the budget is used up, and the problem that the
 * execution ended with.
 */
export const executeAgent = async ({
  ctx,
  input,
  deps,
}: {
  ctx: ExecuteContext;
  input: ExecuteRequest;
  deps: ExecutionDeps;
}): Promise<ExecutionResult | Reply> => {
  const begun = await findBegun(deps, ctx, input);
  if (begun) return begun;
  const planned = await plan(deps, ctx, input);
  const { preference, body, isSample, triggerType } = input;
  const isQueued = preference.waitMs === 0;
  const { item, input: inputItem } = await newExecution(deps, {
    id: ctx.once?.token,
    tenantId: planned.tenantId,
    agentId: planned.agent.id,
    agentRevision: planned.agentRevision,
    parametersMetadata: planned.revision.content.parametersMetadata,
    trigger: { type: triggerType, id: ctx.principal.id, provider: null },
    input: body.input ?? {},
    metadata: body.metadata ?? {},
    isSample,
    status: isQueued ? "Queued" : "Running",
  });
  const owner = newUuid(deps.runtime);
  const endsBy = item.startTime + longestExecutionMs;
  const open = putOpen({
    tenantId: planned.tenantId,
    agentId: item.agentId,
    executionId: item.id,
    owner: isQueued ? null : owner,
    leaseUntil: item.startTime + (isQueued ? resendAfterMs(1) : leaseMs),
    endsBy: isQueued ? undefined : endsBy,
    claims: 0,
    sends: isQueued ? 1 : 0,
    cancelled: false,
  });
  const written = await putNewExecution(deps.db, planned.tenantId, {
    item,
    input: inputItem,
    more: [open],
  });
  if (written === "exists") throw new Error(`the execution ${item.id} was started before`);
  if (isQueued) {
    await enqueueExecution(deps.send, planned.tenantId, item);
    return accepted(ctx, item, preference);
  }
  return runAndWait(deps, ctx, { ...planned, item, owner, endsBy }, preference);
};

/** Returns the execution that an earlier attempt of this request started. */
const findBegun = async (
  { db, objects }: ExecutionDeps,
  ctx: ExecuteContext,
  { agentId, preference }: ExecuteRequest,
): Promise<ExecutionResult | Reply | undefined> => {
  const found = await Promise.all(
    (ctx.once?.earlier ?? []).map((id) => getExecution(db, ctx.tenant.id, agentId, id)),
  );
  const execution = found.find((each) => each !== undefined);
  if (!execution) return undefined;
  const { item } = execution;
  const end = await endOf(execution, objects);
  if (!end) return accepted(ctx, item, preference);
  if (end.error) throw toProblem(end.error, item.id);
  return { ...toResult(item), output: end.output };
};

type Planned = Omit<Job, "item" | "owner" | "endsBy">;

const plan = async (
  { db, loadRevision, runtime, send }: ExecutionDeps,
  { tenant, principal, processor = new ProcessorBudget(processorLimits.requestMs) }: ExecuteContext,
  { agentId, body, isSample }: ExecuteRequest,
): Promise<Planned> => {
  const agent = await getAgent(db, tenant.id, agentId);
  if (!agent) throw notFound("agent", agentId);
  const agentRevision = body.revision ?? deployedRevision(agent);
  const revision = await loadRevision(tenant.id, agent, agentRevision);
  if (!revision) throw notFound("revision", `${agentId}/${agentRevision}`);
  if (isSample || agentRevision !== agent.deployedRevision) {
    // Sub-agents of a deployed revision run with the permissions of the user who deployed it.
    const effect = isSample ? effects.test : effects.run;
    await authorize(db, { principal, tenantId: tenant.id }, effect, revision.flow.agentIds);
  }
  const checked = await checkInputs(
    revision.content.parametersMetadata,
    body.input ?? {},
    processor,
  );
  if (!checked.ok) throw validationFailed(checked.errors);
  await assertBudgetLeft({ db, send, clock: runtime.clock }, tenant.id, agent);
  return { tenantId: tenant.id, agent, agentRevision, revision, values: checked.values };
};

const deployedRevision = ({ id, deployedRevision }: AgentItem): number => {
  if (deployedRevision !== null) return deployedRevision;
  throw conflict(`The agent "${id}" has no deployed revision. Deploy one first.`);
};

/** Storage failures after the execution is recorded are not errors of the request: another run continues it. */
const runAndWait = async (
  deps: ExecutionDeps,
  ctx: ExecuteContext,
  job: Job & { owner: string },
  preference: Preference,
): Promise<ExecutionResult | Reply> => {
  const { events } = ctx;
  const { item } = job;
  events?.send("execution.started", toResult(item));
  const run = runOpenExecution(deps, job, {
    deadline: ctx.deadline,
    inBackground: false,
    ...(events && { emit: hideInEvents(secretsOf(job), (event) => passOn(events, event)) }),
  });
  const ended = run.ended.catch((error: unknown): RunEnd => {
    log().error("execution goes on elsewhere", { executionId: item.id, error: asError(error) });
    return { type: "open" };
  });
  const over = new AbortController();
  const waitMs = preference.waitMs ?? longestWaitMs;
  const waited = deps.sleep(item.startTime + waitMs - deps.runtime.clock(), over.signal);
  const first = await Promise.race([ended, waited.then(() => undefined)]);
  over.abort();
  if (first) return answer(ctx, item, first, preference);
  ctx.waitUntil(ended.then(() => undefined));
  await run.toBackground().catch(() => undefined);
  if (events) return answer(ctx, item, await ended, preference);
  return accepted(ctx, item, preference);
};

const secretsOf = ({ revision, values }: Job): string[] =>
  secretValues(revision.content.parametersMetadata, values);

const passOn = (events: EventStream, { type, ...event }: FlowEvent): void =>
  events.send(type, event);

const answer = (
  ctx: ExecuteContext,
  item: ExecutionItem,
  end: RunEnd,
  preference: Preference,
): ExecutionResult | Reply => {
  if (end.type === "open") return accepted(ctx, item, preference);
  const { result, error } = end.finished;
  if (error) throw toProblem(error, item.id);
  return result;
};

const accepted = (
  { agentPath }: ExecuteContext,
  item: ExecutionItem,
  { applied }: Preference,
): Reply =>
  new Reply(
    JSON.stringify(toResult(item)),
    {
      "Content-Type": "application/json",
      Location: `${agentPath}/execution-records/${item.id}`,
      ...(applied !== undefined && { "Preference-Applied": applied }),
    },
    202,
  );
