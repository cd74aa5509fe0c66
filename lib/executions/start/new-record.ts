import type { Draft } from "../../agents/revision/draft.ts";
import type { CheckVerdict } from "../../engine/guardrails/schemas.ts";
import { noCost, noTokens } from "../../engine/models/sums.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import { tableAttributes } from "../../platform/db/table.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { parseUuidTime } from "../../platform/runtime/runtime.ts";
import type { TraceContext } from "../../platform/tracing/trace-context.ts";
import type { JsonObject } from "../../values/json/json.ts";
import type { ParameterDescriptor } from "../../values/json/parameters.ts";
import type { NewRecord } from "../job/job.ts";
import {
  type ExecutionInput,
  type ExecutionLease,
  type ExecutionRecord,
  openIndex,
  toStored,
} from "../record/execution-record.ts";
import {
  type ExecutionKey,
  executionKey,
  recordsIndexPartition,
  toExecutionKey,
} from "../record/keys.ts";
import { noTreeCost, toTreeMembers } from "../record/results.ts";
import { deriveTraceId } from "../record/trace-id.ts";
import { hideSecrets, placeValue, type StoredPart } from "../record/values.ts";
import type { CallerContext, Trigger } from "../schemas.ts";

/** The draft of a new execution, and its secrets. */
export type NewDraft = Pick<Draft, "stored" | "secrets">;

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
  context?: CallerContext | undefined;
  /** See `ExecutionInput`. */
  repeated?: JsonObject | undefined;
  /** Of the guardrails that checked its input. */
  verdicts?: readonly CheckVerdict[] | undefined;
  /** Whether services check its input when it runs. */
  isUnchecked?: boolean | undefined;
  /** Whether guardrails apply to it. */
  isGuarded?: boolean | undefined;
  metadata: Record<string, string>;
  /** The session that it is part of. */
  session?: { id: string; keptDays: number; endUserId?: string | undefined } | undefined;
  /** See `ExecutionRecord`. */
  actsForSelf?: boolean | undefined;
  isSample: boolean;
  /** See `ExecutionRecord`. */
  traceContext?: TraceContext | undefined;
  chatUser?: string | undefined;
  allowance?: number | undefined;
  limitName?: string | undefined;
  /** Draft that it runs; absent for an execution of a revision. */
  draft?: NewDraft | undefined;
  status: "Queued" | "Running";
};

/**
 * A new execution with its items: the record, and before it the input and the draft where the record has no room for them.
 * A draft is started alone.
 */
export type NewItems = {
  item: ExecutionRecord;
  record: NewRecord;
  part: StoredPart | undefined;
  draftPart: StoredPart | undefined;
};

/** Compressed bytes of a draft that a record may have: every write of the record pays for them. */
const maxInlineDraft = 500;

/**
 * Builds the items of a new execution. Its `startTime` is the time of its id. Writes an input that
 * is too large for items to the bucket.
 * @param maxInline compressed bytes of input that the record may have
 * @param keptDays returns the days for which the tenant keeps executions
 * @param agentCreatedAt when its agent was created, if its message carries the agent
 * @param isInBatch whether the entry of a batch stands for its own in the index of open executions
 */
export const newExecution = async (
  { sealer, objects }: { sealer: Sealer; objects: ObjectStore },
  {
    execution,
    lease,
    maxInline,
    keptDays,
    agentCreatedAt = 0,
    isInBatch = false,
  }: {
    execution: NewExecution;
    lease: ExecutionLease | undefined;
    isInBatch?: boolean;
    maxInline: number;
    keptDays: () => Promise<number>;
    agentCreatedAt?: number;
  },
): Promise<NewItems> => {
  const { parametersMetadata: parameters, masked } = execution;
  const item = toItem(execution);
  const { id } = item;
  const key = toExecutionKey(item);
  const sent = execution.input;
  const { shown, secrets } = await hideSecrets(sealer, key, sent, { parameters, masked });
  const { verdicts, context, repeated } = execution;
  const input: ExecutionInput = {
    input: shown,
    ...(context && { context }),
    ...(verdicts && { verdicts: [...verdicts] }),
    ...(repeated && { repeated }),
  };
  const placed = await placeValue(
    objects,
    key,
    { kind: "INPUT", value: input, keptDays },
    maxInline,
  );
  const draft =
    execution.draft && (await placeDraft({ sealer, objects }, key, execution.draft, keptDays));
  return {
    item,
    record: {
      ...executionKey(key),
      [tableAttributes.recordsIndexPartitionKey]: recordsIndexPartition(key),
      ...toStored(item),
      ...toStoredLease(lease),
      ...(lease && !isInBatch && openIndex(id)),
      input: placed.stored,
      ...(execution.isUnchecked && { unchecked: true }),
      ...(execution.isGuarded && { guarded: true }),
      ...(secrets && { secrets }),
      ...draft?.members,
      ...(agentCreatedAt > item.startTime && { agentCreatedAt }),
    },
    part: placed.part,
    draftPart: draft?.part,
  };
};

const placeDraft = async (
  { sealer, objects }: { sealer: Sealer; objects: ObjectStore },
  key: ExecutionKey,
  { stored: value, secrets }: NewDraft,
  keptDays: () => Promise<number>,
) => {
  const { tenantId, executionId } = key;
  const hasSecrets = Object.keys(secrets).length > 0;
  const [{ stored, part }, draftSecrets] = await Promise.all([
    placeValue(objects, key, { kind: "DRAFT", value, keptDays }, maxInlineDraft),
    hasSecrets ? sealer.seal(secrets, { tenantId, executionId }) : undefined,
  ]);
  return { members: { draft: stored, ...(draftSecrets && { draftSecrets }) }, part };
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
  traceContext,
  chatUser,
  session,
  actsForSelf,
  status,
}: NewExecution): ExecutionRecord => {
  const startTime = parseUuidTime(id);
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
    traceId: deriveTraceId({ id, traceContext }),
    destinations: [],
    environmentSlug: isSample ? "test" : "production",
    createdAt: startTime,
    tenantId,
    ...noCost,
    priced: true,
    ...toTreeMembers(noTreeCost, noTreeCost),
    status,
    errorType: null,
    errorDetail: null,
    session: session ? { id: session.id } : null,
    ...(session && { sessionDays: session.keptDays }),
    ...(session?.endUserId !== undefined && { endUserId: session.endUserId }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    reserved: 0,
    ...(allowance !== undefined && { allowance }),
    ...(limitName !== undefined && { limitName }),
    ...(traceContext && { traceContext }),
    ...(chatUser !== undefined && { chatUser }),
    ...(actsForSelf && { actsForSelf }),
  };
};

/** Returns the attributes of a new execution's lease; none without one. */
const toStoredLease = (lease: ExecutionLease | undefined): Record<string, unknown> => {
  if (!lease) return {};
  const { owner, leaseUntil, claims, sends, ...rest } = lease;
  return {
    ...rest,
    leaseUntil,
    ...(owner !== null && { owner }),
    ...(claims > 0 && { claims }),
    ...(sends > 0 && { sends }),
  };
};
