import * as z from "zod";
import { CheckVerdict } from "../../engine/guardrails/schemas.ts";
import { noCost } from "../../engine/models/sums.ts";
import { PackedValue } from "../../platform/db/large-value.ts";
import { SealedValue } from "../../platform/db/seal.ts";
import { storedJson, toStoredJson } from "../../platform/db/stored-json.ts";
import { tableAttributes } from "../../platform/db/table.ts";
import { parseUuidTime } from "../../platform/runtime/runtime.ts";
import { TraceContext } from "../../platform/tracing/trace-context.ts";
import { isKept } from "../../tenancy/tenant/retention.ts";
import type { Json } from "../../values/json/json.ts";
import { anyNames } from "../../values/json/limited-record.ts";
import {
  CallerContext,
  ExecutionError,
  ExecutionSummary,
  finalStatuses,
  openStatuses,
} from "../schemas.ts";
import { StoredScores } from "../scores.ts";
import { openIndexKey, parseDueAt, parseExecutionKey, waitingIndexKey } from "./keys.ts";
import { deriveTraceId } from "./trace-id.ts";

/** The record of an execution, without its input and outcome. */
export const ExecutionRecord = ExecutionSummary.extend({
  /** Stored only where it is not the same as `totalCost`. */
  totalCostWithSubAgents: z.number().optional(),
  /** Stored only where it is not the same as `priced`. */
  pricedWithSubAgents: z.boolean().optional(),
  errorType: z.string().nullable().default(null),
  errorDetail: z.string().nullable().default(null),
  metadata: storedJson(anyNames(z.string())).optional(),
  /** US dollars of the agent's budget reserved for it. */
  reserved: z.number().default(0),
  /** US dollars that were reserved in a limit beyond its agent's budget when it was started; absent without one. */
  allowance: z.number().optional(),
  /** Names the limit of another execution that it spends in, see `SpendLimit`. */
  limitName: z.string().optional(),
  /** The trace that it continues; absent for a trace of its own. */
  traceContext: TraceContext.optional(),
  /** Name of the chat user that started it, as in decisions about approvals; absent for another trigger. */
  chatUser: z.string().optional(),
  /** End user that its session belongs to, or who wrote in a session of several people; absent without one. */
  endUserId: z.string().optional(),
  /** Whether its tools use no connection of an end user other than the user who started it; absent for no. */
  actsForSelf: z.boolean().optional(),
  /** Days for which the session keeps a turn, where it has one. */
  sessionDays: z.int().optional(),
  /** Whether it has waited; absent for no. */
  hasWaited: z.boolean().optional(),
  /** Number of times that it has begun to wait; absent for none. */
  waits: z.int().optional(),
  /** Number of answers to its waits that came while it did not wait; absent for none. */
  answers: z.int().optional(),
  /** Whether the usage of a cancelled execution is counted, which is after its run stopped. */
  settled: z.boolean().optional(),
}).transform((item) => ({
  ...item,
  totalCostWithSubAgents: item.totalCostWithSubAgents ?? item.totalCost,
  pricedWithSubAgents: item.pricedWithSubAgents ?? item.priced,
}));
export type ExecutionRecord = z.output<typeof ExecutionRecord>;

/** The holder of an execution, until it is settled. */
export type ExecutionLease = {
  /** Token of the run that holds it; null while it is queued. */
  owner: string | null;
  /** After this time the run counts as dead, or the queued message as lost. Unix milliseconds. */
  leaseUntil: number;
  /** Deadline of the whole execution; undefined until it runs. */
  endsBy: number | undefined;
  /** Maximum duration in milliseconds; undefined for the general maximum. */
  limitMs: number | undefined;
  /** Number of runs, the caller's included. */
  claims: number;
  /** Number of times that it was queued. */
  sends: number;
};

/** Attributes by which the record of an execution that is not settled is in the index. Never rewritten. */
export const openIndex = (executionId: string): Record<string, string> => {
  const { pk, sk } = openIndexKey(executionId);
  return { [tableAttributes.indexPartitionKey]: pk, [tableAttributes.indexSortKey]: sk };
};

/** As `openIndex`, for a waiting execution that is overdue at a time. Unix milliseconds. */
export const waitingIndex = (executionId: string, dueAt: number): Record<string, string> => {
  const { pk, sk } = waitingIndexKey(executionId, dueAt);
  return { [tableAttributes.indexPartitionKey]: pk, [tableAttributes.indexSortKey]: sk };
};

/** Attributes that the record of an execution has until it is settled. */
export const leaseAttributes: readonly string[] = [
  "owner",
  "leaseUntil",
  "endsBy",
  "limitMs",
  "claims",
  "sends",
  tableAttributes.indexPartitionKey,
  tableAttributes.indexSortKey,
];

/** A value in the record, in an item of its own, or in the bucket. */
export const StoredValue = z.union([z.object({ part: z.string() }), PackedValue]);
export type StoredValue = z.output<typeof StoredValue>;

/** Input of an execution, with masked secrets. */
export const ExecutionInput = z.object({
  input: z.record(z.string(), z.unknown()),
  /** Absent for a caller who sent the inputs only. */
  context: CallerContext.optional(),
  /** Of the guardrails that checked the input; absent without such checks. */
  verdicts: z.array(CheckVerdict).optional(),
  /** Parameters of the request that its response repeats; absent where they have their defaults. */
  repeated: z.record(z.string(), z.unknown()).optional(),
});
export type ExecutionInput = z.output<typeof ExecutionInput>;

/** Output, error and trace of an execution. */
export const StoredOutcome = z.object({
  output: z.custom<Json>((value) => value !== undefined),
  error: ExecutionError.nullable(),
  /** As `TraceSpan`. */
  trace: z.array(z.unknown()),
});
export type StoredOutcome = z.output<typeof StoredOutcome>;

/** Values of members that are not stored. */
const defaults = {
  endTime: null,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  thinkingTokens: 0,
  isSample: false,
  errorType: null,
  errorDetail: null,
  session: null,
  destinations: [],
  reserved: 0,
  priced: true,
  ...noCost,
};

/** Members of a record that follow from its key or its other members. */
const derived: ReadonlySet<string> = new Set([
  "id",
  "agentId",
  "tenantId",
  "startTime",
  "createdAt",
  "environmentSlug",
  "traceId",
  "hasResult",
  "hasTrace",
]);

const Member = z.record(z.string(), z.unknown());

/** Returns the members of an execution that its record stores: units are counted by size. */
export const toStored = (item: Partial<ExecutionRecord>): Record<string, unknown> => {
  const usual: Record<string, unknown> = defaults;
  const stored = Object.entries(item).filter(
    ([name, value]) =>
      !derived.has(name) &&
      value !== undefined &&
      value !== usual[name] &&
      !(name === "destinations" && item.destinations?.length === 0) &&
      !(name === "totalCostWithSubAgents" && value === item.totalCost) &&
      !(name === "pricedWithSubAgents" && value === item.priced),
  );
  const { trigger, metadata } = item;
  return {
    ...Object.fromEntries(stored),
    // Its members may have names that the table's client cannot write.
    ...(metadata && { metadata: toStoredJson(metadata) }),
    ...(trigger?.provider === null && { trigger: { type: trigger.type, id: trigger.id } }),
  };
};

/** The record of an execution as it is stored. */
export const StoredExecution = z
  .looseObject({
    pk: z.string(),
    sk: z.string(),
    input: StoredValue,
    secrets: SealedValue.optional(),
    /** Draft that it runs, and the secrets of the draft; absent for an execution of a revision. */
    draft: StoredValue.optional(),
    draftSecrets: SealedValue.optional(),
    result: StoredValue.optional(),
    /** The trace, where it is not in `result`. */
    trace: StoredValue.optional(),
    /** Expiry, Unix seconds; undefined until it ends. */
    ttl: z.int().optional(),
    /** Expiry of the trace, where it is before that of the record. */
    traceTtl: z.int().optional(),
    owner: z.string().nullable().default(null),
    leaseUntil: z.int().optional(),
    endsBy: z.int().optional(),
    limitMs: z.int().optional(),
    claims: z.int().default(0),
    sends: z.int().default(0),
    /** Of a sub-agent's execution that waits: the outermost caller. */
    waitRoot: z.object({ agentId: z.string(), executionId: z.string() }).optional(),
    trigger: Member,
    traceContext: TraceContext.optional(),
    /** Stored where the agent was created after the time of the execution's id. Unix milliseconds. */
    agentCreatedAt: z.int().optional(),
    /** Stored only by executions that were abandoned. */
    hasTrace: z.boolean().optional(),
    scores: StoredScores.optional(),
    /** Whether services have not checked the input yet, so that it is not shown. */
    unchecked: z.boolean().default(false),
    /** Whether guardrails apply: what its steps have done is not shown before they have checked its end. */
    guarded: z.boolean().default(false),
    /** Hashes of the ids of the scorers of an online evaluation that gave no score. */
    failedScorers: z.set(z.string()).optional(),
  })
  .transform(
    ({
      pk,
      sk,
      input,
      secrets,
      draft,
      draftSecrets,
      result,
      trace,
      ttl,
      traceTtl,
      owner,
      leaseUntil,
      claims,
      sends,
      hasTrace,
      agentCreatedAt,
      waitRoot,
      scores,
      failedScorers,
      unchecked: isUnchecked,
      guarded: isGuarded,
      ...stored
    }) => {
      const { tenantId, agentId, executionId: id } = parseExecutionKey({ pk, sk });
      const startTime = parseUuidTime(id);
      const { endsBy, limitMs } = stored;
      const members = { ...defaults, ...stored };
      const { isSample, trigger, traceContext } = members;
      const item = ExecutionRecord.parse({
        id,
        agentId,
        tenantId,
        startTime,
        createdAt: startTime,
        environmentSlug: isSample ? "test" : "production",
        ...members,
        trigger: { provider: null, ...trigger },
        traceId: deriveTraceId({ id, traceContext }),
        hasResult: stored.status === "Succeeded",
        hasTrace: hasTrace ?? result !== undefined,
      });
      return {
        item,
        input,
        secrets,
        draft,
        draftSecrets,
        result,
        trace,
        ttl,
        traceTtl,
        scores,
        failedScorers,
        isUnchecked,
        isGuarded,
        agentCreatedAt,
        waitRoot,
        /** When a waiting execution is overdue, Unix milliseconds; undefined for another. */
        dueAt: parseDueAt(stored[tableAttributes.indexSortKey]),
        /** Whether it has an entry in the index of open executions; without, that of its batch stands for it. */
        isInIndex: stored[tableAttributes.indexSortKey] !== undefined,
        lease:
          leaseUntil === undefined
            ? undefined
            : { owner, leaseUntil, endsBy, limitMs, claims, sends },
      };
    },
  );
export type StoredExecution = z.output<typeof StoredExecution> & { isTraceExpired?: true };

/**
 * Returns an execution without a trace that has expired; undefined where the execution has expired. The table deletes
 * expired items days later.
 */
export const withoutExpired = (
  execution: StoredExecution | undefined,
  now: number,
): StoredExecution | undefined => {
  if (!execution || !isKept(execution, now)) return undefined;
  if (isKept({ ttl: execution.traceTtl }, now)) return execution;
  const { item } = execution;
  return { ...execution, isTraceExpired: true, item: { ...item, hasTrace: false } };
};

/** The record of an execution as lists read it. */
export const ListedExecution = StoredExecution.transform(({ item }) => item);

/** Returns whether an execution is open: not ended, or cancelled without its usage counted. */
export const isOpen = ({ status, settled }: ExecutionRecord): boolean =>
  !finalStatuses.has(status) || (status === "Cancelled" && !settled);

const openValues = Object.fromEntries(openStatuses.map((status, at) => [`:open${at}`, status]));

/** The condition that an execution has not ended, of which `#status` is the status. */
export const ifOpen = {
  expression: `#status IN (${Object.keys(openValues).join(", ")})`,
  values: openValues,
};
