import type { Deployed } from "../../agents/revision/load-deployed.ts";
import type { ConversationMessage } from "../../engine/flow/conversation-message.ts";
import { noCost, noTokens } from "../../engine/models/sums.ts";
import type { Key } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { timeOfUuid } from "../../platform/runtime/runtime.ts";
import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { checkBudget } from "../../spending/budget/check-budget.ts";
import type { AgentBudget } from "../../spending/budget/schemas.ts";
import { checkInputs, type InputProblem } from "../../values/json/check-inputs.ts";
import type { JsonObject } from "../../values/json/json.ts";
import type { ParameterDescriptor } from "../../values/json/parameters.ts";
import {
  type ExecutionDeps,
  type ExecutionInput,
  type ExecutionRecord,
  executionKey,
  hideSecrets,
  type Lease,
  noTreeCost,
  placeValue,
  type RunAgent,
  type StoredPart,
  type Trigger,
  toExecutionKey,
  toStored,
  toStoredLease,
  toTreeMembers,
} from "../record/execution-record.ts";

/** A new execution. Its id is a version 7 UUID of the current time, or of the time of its cause. */
export type NewExecution = {
  id: string;
  agentId: string;
  tenantId: TenantId;
  agentRevision: number;
  parametersMetadata: readonly ParameterDescriptor[];
  trigger: Trigger;
  input: Readonly<Record<string, unknown>>;
  /** Inputs that contain a secret of their sender, as the record shows them. */
  masked?: JsonObject | undefined;
  metadata: Record<string, string>;
  session?: readonly ConversationMessage[] | undefined;
  isSample: boolean;
  /** See `ExecutionRecord`. */
  allowance?: number | undefined;
  limitName?: string | undefined;
  status: "Queued" | "Running";
};

/** The process that runs a new execution. */
export type Runner =
  /**
   * A worker. `limitMs`: maximum duration, default the general maximum. `agent`: as it was read, default: the worker
   * reads it.
   */
  | { type: "worker"; limitMs?: number | undefined; agent?: RunAgent }
  /** The caller, under a lease of its own. */
  | { type: "caller"; owner: string }
  /** The parent's run, under the parent's lease; `path` is the place of the call in the parent. */
  | { type: "parent"; parentId: string; path: string }
  /** Nobody: the caller ends it immediately. After a crash, the next worker abandons it. */
  | { type: "none"; owner: string };

/** A new execution that may start, and who runs it. */
export type PlannedStart = Omit<NewExecution, "status"> & { runner: Runner };

/** A new execution with its items: the record, and before it the input where the record has no room for it. */
export type NewItems = {
  item: ExecutionRecord;
  record: Key & Record<string, unknown>;
  part: StoredPart | undefined;
};

/**
 * Builds the items of a new execution, whose `startTime` is the time of its id; writes an input that is too large
 * for items to the bucket.
 * @param maxInline compressed bytes of input that the record may have
 * @param agentCreatedAt when its agent was created, if its message carries the agent
 */
export const newExecution = async (
  { sealer, objects }: Pick<ExecutionDeps, "sealer" | "objects">,
  execution: NewExecution,
  {
    lease,
    maxInline,
    agentCreatedAt = 0,
  }: { lease: Lease | undefined; maxInline: number; agentCreatedAt?: number },
): Promise<NewItems> => {
  const { parametersMetadata: parameters, masked, session } = execution;
  const item = toItem(execution);
  const { id } = item;
  const place = toExecutionKey(item);
  const sent = execution.input;
  const { shown, secrets } = await hideSecrets(sealer, place, sent, { parameters, masked });
  const input: ExecutionInput = {
    input: shown,
    ...(session?.length && { session: [...session] }),
  };
  const placed = await placeValue(objects, place, { kind: "INPUT", value: input }, maxInline);
  return {
    item,
    record: {
      ...executionKey(place),
      ...toStored(item),
      ...toStoredLease(id, lease),
      input: placed.stored,
      ...(secrets && { secrets }),
      ...(agentCreatedAt > item.startTime && { agentCreatedAt }),
    },
    part: placed.part,
  };
};

const toItem = ({
  id,
  agentId,
  tenantId,
  agentRevision,
  trigger,
  metadata,
  isSample,
  allowance,
  limitName,
  status,
}: NewExecution): ExecutionRecord => {
  const startTime = timeOfUuid(id);
  return {
    id,
    agentId,
    agentRevision,
    startTime,
    endTime: null,
    ...noTokens,
    hasResult: false,
    hasTrace: false,
    isSample,
    trigger,
    destinations: [],
    environmentSlug: isSample ? "test" : "production",
    createdAt: startTime,
    tenantId,
    ...noCost,
    priced: true,
    ...toTreeMembers(noTreeCost, noTreeCost),
    status,
    errorType: null,
    ...(Object.keys(metadata).length > 0 && { metadata }),
    reserved: 0,
    ...(allowance !== undefined && { allowance }),
    ...(limitName !== undefined && { limitName }),
  };
};

/** Request of the API, a trigger, a schedule or a parent's run to start an execution. */
export type StartRequest = Pick<
  NewExecution,
  "tenantId" | "trigger" | "input" | "session" | "limitName"
> &
  Partial<Pick<NewExecution, "metadata" | "isSample">> & {
    /** New, or derived from the cause, so that a repeated message starts one execution. */
    executionId: string;
  };

/** An execution that may start, without who runs it, and its inputs with defaults. */
export type StartPlan = { start: Omit<PlannedStart, "runner">; values: JsonObject };

/** Why an execution may not start: its invalid inputs, or the used-up budget. */
export type StartRefusal = { errors: readonly InputProblem[] } | { exceeded: AgentBudget };

/** Plans an execution of a revision: checks its inputs, then its agent's budget. */
export const planStart = async (
  { db, send, runtime }: Pick<ExecutionDeps, "db" | "send" | "runtime">,
  deployed: Deployed,
  request: StartRequest,
  processor: ProcessorBudget,
): Promise<StartPlan | StartRefusal> => {
  const { agent, agentRevision, revision } = deployed;
  const { executionId, metadata = {}, isSample = false, ...rest } = request;
  const { parametersMetadata } = revision.content;
  const inputs = await checkInputs(parametersMetadata, request.input, processor);
  if (!inputs.ok) return { errors: inputs.errors };
  const budget = await checkBudget({ db, send, clock: runtime.clock }, request.tenantId, agent);
  if (!budget.ok) return { exceeded: budget.exceeded };
  const agentId = agent.id;
  const start = { ...rest, id: executionId, agentId, agentRevision, parametersMetadata };
  return { start: { ...start, metadata, isSample }, values: inputs.values };
};

/** Formats invalid inputs as one line. */
export const inputDetail = (errors: readonly InputProblem[]): string =>
  errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join("; ");
