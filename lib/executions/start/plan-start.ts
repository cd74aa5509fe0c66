import type { Deployed } from "../../agents/revision/load-deployed.ts";
import type { TakeSlot } from "../../edge/limit-concurrency.ts";
import type { CheckVerdict } from "../../engine/guardrails/schemas.ts";
import type { Blocked } from "../../engine/step-error.ts";
import type { FileReader } from "../../files/find-readable-file.ts";
import { fetchesFiles, hideFiles, storeInputFiles } from "../../files/store-input-files.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { slotsTaken } from "../../platform/http/problems.ts";
import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { withSlot } from "../../platform/slots/with-slot.ts";
import type { TraceContext } from "../../platform/tracing/trace-context.ts";
import { checkBudget } from "../../spending/budget/check-budget.ts";
import type { AgentBudget } from "../../spending/budget/schemas.ts";
import { checkInputs, type InputProblem } from "../../values/json/check-inputs.ts";
import { isRecord, type JsonObject } from "../../values/json/json.ts";
import { guardInput, loadGuard } from "../guard/guard-input.ts";
import type { ExecutionDeps, RunAgent } from "../job/job.ts";
import { maskInputs } from "../job/masks.ts";
import { type CallerContext, getStarter, type Trigger, type TriggerSession } from "../schemas.ts";
import { toKeptTurns } from "../session/session-item.ts";
import { withHistory } from "../session/turn-messages.ts";
import type { NewDraft, NewExecution } from "./new-record.ts";

/** The session that an execution is to have. */
export type RequestedSession = {
  id: string;
  endUserId?: string | undefined;
  /** Principal that must have started it by a call of the API, where it exists; undefined for none. */
  requiredStarter?: string | undefined;
  /** Whether a session of another end user is refused. */
  isOneUsers: boolean;
  whenBusy: "wait" | "reject";
  /** Until when a caller waits with it, Unix milliseconds; 0 for none. */
  until: number;
};

/** Returns the session that a trigger names, for which its executions wait; undefined for none. */
export const toTriggeredSession = (
  session: TriggerSession | null | undefined,
): RequestedSession | undefined => {
  if (session === null || session === undefined) return undefined;
  const { id, endUserId = undefined } = typeof session === "string" ? { id: session } : session;
  return { id, endUserId: endUserId ?? undefined, isOneUsers: true, whenBusy: "wait", until: 0 };
};

/** Request to start an execution, for all that start one: the API, triggers, schedules, parents, experiments, scorers. */
export type StartRequest = {
  tenantId: TenantId;
  /** New, or derived from the cause, so that a repeated message starts one execution. */
  executionId: string;
  trigger: Trigger;
  /** Validated against the parameters of the revision. */
  input: unknown;
  /** Sent with the inputs; undefined for none. */
  context?: CallerContext | undefined;
  /** See `ExecutionInput`. */
  repeated?: JsonObject | undefined;
  metadata?: Record<string, string> | undefined;
  /** The session that it is to have; undefined for none. */
  session?: RequestedSession | undefined;
  /** See `ExecutionRecord`. */
  actsForSelf?: boolean | undefined;
  isSample?: boolean | undefined;
  /** The stored files that its inputs may name; undefined for none. */
  fileReader?: FileReader | undefined;
  /** Secrets of its sender, which the record masks in the input. */
  secrets?: readonly string[] | undefined;
  /** Maximum duration in milliseconds; undefined for the general maximum. */
  limitMs?: number | undefined;
  /** See `ExecutionRecord`. */
  traceContext?: TraceContext | undefined;
  chatUser?: string | undefined;
  allowance?: number | undefined;
  limitName?: string | undefined;
  draft?: NewDraft | undefined;
};

/** The runner of a new execution. */
export type Runner =
  /** A worker. `agent`: as it was read, default: the worker reads it. */
  | { type: "worker"; agent?: RunAgent }
  /** The caller, under a lease of its own. `agent`: as it was read. */
  | { type: "caller"; owner: string; agent: RunAgent }
  /** The parent's run, under the parent's lease; `path` is the path of the call in the parent. */
  | { type: "parent"; parentId: string; path: string }
  /** The caller, who writes it when it ends and holds no lease of it. `agent`: as it was read. */
  | { type: "at-once"; agent: RunAgent };

/** A new execution that may start, and who runs it. */
export type PlannedStart = Omit<NewExecution, "status" | "session"> & {
  limitMs?: number | undefined;
  session?: (RequestedSession & { keptDays: number }) | undefined;
  runner: Runner;
};

/** An execution that may start, without who runs it, and its inputs with defaults. */
export type StartPlan = {
  deployed: Deployed;
  start: Omit<PlannedStart, "runner"> & { isUnchecked: boolean; isGuarded: boolean };
  values: JsonObject;
  /** Whether its guardrails ask services, such as a model. */
  asksServices: boolean;
};

/** Lets a worker run a planned execution of an agent that was just read. */
export const withWorker = ({ start, deployed }: StartPlan): PlannedStart => ({
  ...start,
  runner: { type: "worker", agent: deployed.agent },
});

/** Lets the caller run a planned execution, or refuse it, and write its record with its end. */
export const writtenAtEnd = ({
  start,
  deployed,
}: {
  start: Omit<PlannedStart, "runner">;
  deployed: Pick<Deployed, "agent">;
}): PlannedStart => ({
  ...start,
  runner: { type: "at-once", agent: deployed.agent },
});

/** Why an execution may not start: its invalid inputs, the used-up budget, or a guardrail. */
export type StartRefusal =
  | { errors: readonly InputProblem[] }
  | { exceeded: AgentBudget }
  | { blocked: Blocked; detail: string };

/**
 * Plans an execution of a revision: checks its inputs, then its agent's budget.
 * @param input `processor`: processor budget of the checks. `budget`: "unchecked" leaves the budget to the model calls,
 * which reserve in it. `takeSlot`: takes a slot of the tenant while files are fetched; default: none is needed. Throws 429 when all
 * are taken
 */
export const planStart = async (
  deps: Pick<ExecutionDeps, "db" | "send" | "runtime" | "files">,
  input: {
    deployed: Deployed;
    request: StartRequest;
    processor: ProcessorBudget;
    budget?: "checked" | "unchecked";
    takeSlot?: TakeSlot | undefined;
  },
): Promise<StartPlan | StartRefusal> => {
  const { deployed, request, processor, budget: check = "checked" } = input;
  const { parametersMetadata, useSession } = deployed.revision.content;
  const { session } = request;
  if (session && !useSession) {
    const detail = 'is for revisions with "useSession", which this one does not have';
    return { errors: [{ pointer: "/session", detail }] };
  }
  const sent = session ? withHistory(parametersMetadata, request.input) : request.input;
  const inputs = await checkInputs(parametersMetadata, sent, processor);
  if (!inputs.ok) return { errors: inputs.errors };
  const guarded = await guardStart(
    deps,
    { ...input, request: { ...request, input: hideFiles(parametersMetadata, request.input) } },
    hideFiles(parametersMetadata, inputs.values),
  );
  if ("errors" in guarded || "blocked" in guarded) return guarded;
  if (check === "checked") {
    const { tenantId } = request;
    const budgetDeps = { db: deps.db, send: deps.send, clock: deps.runtime.clock };
    const budget = await checkBudget(budgetDeps, { tenantId, agent: deployed.agent });
    if (!budget.ok) return { exceeded: budget.exceeded };
  }
  const storeFiles = () =>
    storeInputFiles(deps, {
      tenantId: request.tenantId,
      execution: { agentId: deployed.agent.id, executionId: request.executionId },
      starter: getStarter(request.trigger),
      reader: request.fileReader,
      parameters: parametersMetadata,
      values: inputs.values,
      now: deps.runtime.clock(),
    });
  const isLong = fetchesFiles(parametersMetadata, inputs.values);
  const files = await withSlot(isLong ? input.takeSlot : undefined, storeFiles);
  if (!files) throw slotsTaken();
  if ("errors" in files) return files;
  const { verdicts, isUnchecked, isGuarded, asksServices, sentInput: shown, context } = guarded;
  const values = { ...guarded.values, ...files.values };
  const sentInput = { ...(isRecord(shown) ? shown : {}), ...files.values };
  const start = toStart(deployed, { ...request, input: sentInput, context }, values);
  return { deployed, start: { ...start, verdicts, isUnchecked, isGuarded }, values, asksServices };
};

type GuardedStart = {
  values: JsonObject;
  /** The input as it was sent, with what checks masked. */
  sentInput: unknown;
  context: CallerContext | undefined;
  verdicts?: readonly CheckVerdict[];
  isUnchecked: boolean;
  isGuarded: boolean;
  asksServices: boolean;
};

/**
 * Checks the inputs of an execution by guardrails: nothing of a blocked one is stored. Checks that ask a service are left to
 * its run.
 */
const guardStart = async (
  deps: Pick<ExecutionDeps, "db" | "runtime">,
  { deployed, request, processor }: Parameters<typeof planStart>[1],
  values: JsonObject,
): Promise<GuardedStart | Exclude<StartRefusal, { exceeded: AgentBudget }>> => {
  const { parametersMetadata: parameters, guardrails } = deployed.revision.content;
  const { tenantId, input: sentInput, context: sent } = request;
  const guard = await loadGuard(deps, { tenantId, guardrails, processor });
  const isUnchecked = guard?.has("input", "outside") === true;
  const asksServices = isUnchecked || guard?.has("output", "outside") === true;
  const later = { isUnchecked, isGuarded: guard !== undefined, asksServices };
  if (!guard?.has("input", "local")) return { values, sentInput, context: sent, ...later };
  const guarded = await guardInput(guard, { parameters, values, context: sent });
  if ("blocked" in guarded) return guarded;
  const { masked, context, verdicts } = guarded;
  const given = { context, verdicts, ...later };
  if (Object.keys(masked).length === 0) return { values, sentInput, ...given };
  const shown = { ...(isRecord(sentInput) ? sentInput : {}), ...masked };
  const checked = await checkInputs(parameters, { ...values, ...masked }, processor);
  return checked.ok
    ? { values: checked.values, sentInput: shown, ...given }
    : { errors: checked.errors };
};

/** Builds a new execution of a revision from its request and its inputs with defaults. */
export const toStart = (
  { agent, agentRevision, revision }: Deployed,
  {
    executionId,
    input,
    secrets = [],
    metadata = {},
    isSample = false,
    session,
    fileReader: _,
    ...rest
  }: StartRequest,
  values: JsonObject,
): Omit<PlannedStart, "runner"> => {
  const sent = isRecord(input) ? input : {};
  const { retentionDays: keptDays } = toKeptTurns(revision.content.sessionPolicy);
  return {
    ...rest,
    ...(session && { session: { ...session, keptDays } }),
    id: executionId,
    agentId: agent.id,
    agentRevision,
    parametersMetadata: revision.content.parametersMetadata,
    input: sent,
    masked: maskInputs(sent, values, secrets),
    metadata,
    isSample,
  };
};
