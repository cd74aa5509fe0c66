import type { Database } from "../../platform/db/database.ts";
import { getItems } from "../../platform/db/get-items.ts";
import { listIndex } from "../../platform/db/list-index.ts";
import { tableAttributes } from "../../platform/db/table.ts";
import { updateItem } from "../../platform/db/write-item.ts";
import { type Lease, StoredExecution } from "./items.ts";
import { type ExecutionKey, executionKey, openIndexKey, openShards } from "./keys.ts";

/** Maximum time that a caller waits before an execution continues in the background. */
export const maxWaitMs = 25_000;
/** Maximum time from the start, all runs together. */
export const maxExecutionMs = 15 * 60_000;
/** Interval of lease renewals, which also detect a cancel. */
export const renewalMs = 5_000;
/**
 * A run without renewal for this time counts as dead; detected within two minutes, since recovery runs every
 * minute.
 */
export const leaseMs = 40_000;
/** Time before the function's timeout at which a run is handed over. */
export const handOverMs = 20_000;
/** Number of claims after which an execution is abandoned. */
export const maxClaims = 10;

/**
 * Returns when an unclaimed message is sent again: after one minute, then two, four, eight, at most sixteen.
 */
export const resendAfterMs = (sends: number): number => 60_000 * 2 ** Math.min(sends - 1, 4);

/** An execution whose record has a lease. */
export type OpenExecution = StoredExecution & { lease: Lease };

/** Attributes by which the record of an execution that is not settled is in the index. Never rewritten. */
export const openIndex = (executionId: string): Record<string, string> => {
  const { pk, sk } = openIndexKey(executionId);
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

/** Returns the attributes of a new execution's lease; none without one. */
export const toStoredLease = (
  executionId: string,
  lease: Lease | undefined,
): Record<string, unknown> => {
  if (!lease) return {};
  const { owner, leaseUntil, claims, sends, ...rest } = lease;
  return {
    ...openIndex(executionId),
    ...rest,
    leaseUntil,
    ...(owner !== null && { owner }),
    ...(claims > 0 && { claims }),
    ...(sends > 0 && { sends }),
  };
};

const names = { "#owner": "owner", "#status": "status" };

type Change = { set: string; condition: string; values: Record<string, unknown> };

/** Updates a lease. Returns the record, changed or not; undefined when there is none. */
const updateLease = async (
  db: Database,
  place: ExecutionKey,
  { set, condition, values }: Change,
): Promise<{ written: boolean; execution: StoredExecution | undefined }> => {
  const used = Object.entries(names).filter(([name]) => `${set} ${condition}`.includes(name));
  const { written, item } = await updateItem(db, {
    Key: executionKey(place),
    UpdateExpression: set,
    ConditionExpression: condition,
    ExpressionAttributeNames: Object.fromEntries(used),
    ExpressionAttributeValues: values,
    ReturnValues: "ALL_NEW",
  });
  return { written, execution: item && StoredExecution.parse(item) };
};

const opened = (execution: StoredExecution | undefined): OpenExecution | undefined =>
  execution?.lease && { ...execution, lease: execution.lease };

/** A claim of a run. Times in Unix milliseconds. */
export type Claim = { owner: string; now: number; leaseUntil: number; endsBy: number };

const isFree =
  "attribute_exists(leaseUntil) AND (attribute_not_exists(#owner) OR leaseUntil < :now)";

/**
 * Claims an execution that no run holds, and makes it Running unless it is cancelled: one write that returns all
 * that its run needs of it. Undefined when a run holds it, or it is settled or deleted.
 */
export const claimExecution = async (
  db: Database,
  place: ExecutionKey,
  { owner, now, leaseUntil, endsBy }: Claim,
): Promise<OpenExecution | undefined> => {
  const set =
    "SET #owner = :owner, leaseUntil = :until, endsBy = if_not_exists(endsBy, :endsBy) ADD claims :one";
  const values = {
    ":owner": owner,
    ":until": leaseUntil,
    ":endsBy": endsBy,
    ":now": now,
    ":one": 1,
  };
  const running = await updateLease(db, place, {
    set: set.replace(" ADD", ", #status = :running ADD"),
    condition: `${isFree} AND #status IN (:queued, :running)`,
    values: { ...values, ":queued": "Queued", ":running": "Running" },
  });
  if (running.written) return opened(running.execution);
  if (!running.execution?.lease || running.execution.item.status !== "Cancelled") return undefined;
  const cancelled = await updateLease(db, place, {
    set,
    condition: `${isFree} AND #status = :cancelled`,
    values: { ...values, ":cancelled": "Cancelled" },
  });
  return cancelled.written ? opened(cancelled.execution) : undefined;
};

/** Renews the lease of a run. Returns why it has to stop when it may not be renewed. */
export const renewLease = async (
  db: Database,
  place: ExecutionKey,
  owner: string,
  leaseUntil: number,
): Promise<"renewed" | "cancelled" | "lost"> => {
  const { written, execution } = await updateLease(db, place, {
    set: "SET leaseUntil = :until",
    condition: "#owner = :owner AND #status <> :cancelled",
    values: { ":owner": owner, ":until": leaseUntil, ":cancelled": "Cancelled" },
  });
  if (written) return "renewed";
  return execution?.lease?.owner === owner ? "cancelled" : "lost";
};

/** Returns an execution from its run to the queue; false when the run does not hold it any more. */
export const releaseExecution = async (
  db: Database,
  place: ExecutionKey,
  owner: string,
  leaseUntil: number,
): Promise<boolean> => {
  const { written } = await updateLease(db, place, {
    set: "SET leaseUntil = :until, sends = :one REMOVE #owner",
    condition: "#owner = :owner",
    values: { ":owner": owner, ":until": leaseUntil, ":one": 1 },
  });
  return written;
};

/** Takes an execution from a dead run, or one whose message was lost, to queue it again; false when it changed. */
export const requeueExecution = async (
  db: Database,
  place: ExecutionKey,
  { leaseUntil }: Lease,
  until: number,
): Promise<boolean> => {
  const { written } = await updateLease(db, place, {
    set: "SET leaseUntil = :until REMOVE #owner ADD sends :one",
    condition: "leaseUntil = :seen",
    values: { ":until": until, ":one": 1, ":seen": leaseUntil },
  });
  return written;
};

/**
 * Lists the executions that are not settled: keys from the index of open executions, then their records. Also those
 * whose id is of a later time, as starters may give.
 */
export async function* listOpenExecutions(db: Database): AsyncGenerator<OpenExecution> {
  for (const pk of openShards) {
    for await (const keys of listIndex(db, { list: { pk, prefix: "EXEC#" } })) {
      for (const record of await getItems(db, keys, StoredExecution)) {
        const open = opened(record);
        if (open) yield open;
      }
    }
  }
}
