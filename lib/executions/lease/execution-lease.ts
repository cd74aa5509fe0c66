import type { Database } from "../../platform/db/database.ts";
import {
  type LeaseChange,
  type LeaseMembers,
  releaseLease,
  renewLease,
  takeLease,
  takeOverLease,
} from "../../platform/db/lease.ts";
import { updateItem } from "../../platform/db/write-item.ts";
import { type ExecutionLease, ifOpen, StoredExecution } from "../record/execution-record.ts";
import { type ExecutionKey, executionKey } from "../record/keys.ts";

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
/** After this time no function still runs an execution that it writes with its end, in milliseconds. */
export const unwrittenMs = 120_000;
/** Number of claims after which an execution is abandoned. */
export const maxClaims = 10;

/**
 * Returns when an unclaimed message is sent again: after one minute, then two, four, eight, at most sixteen.
 */
export const resendAfterMs = (sends: number): number => 60_000 * 2 ** Math.min(sends - 1, 4);

/** An execution with a lease on its record. */
export type OpenExecution = StoredExecution & { lease: ExecutionLease };

/** The members of a record that hold its lease. */
export const leaseMembers = (key: ExecutionKey): LeaseMembers => ({
  key: executionKey(key),
  holder: "owner",
  until: "leaseUntil",
});

/** Writes an update of a lease. Returns the record, changed or not; undefined when there is none. */
const writeLease = async (
  db: Database,
  update: ReturnType<typeof renewLease>,
): Promise<{ written: boolean; execution: StoredExecution | undefined }> => {
  const { written, item } = await updateItem(db, { ...update, ReturnValues: "ALL_NEW" });
  return { written, execution: item && StoredExecution.parse(item) };
};

const opened = (execution: StoredExecution | undefined): OpenExecution | undefined =>
  execution?.lease && { ...execution, lease: execution.lease };

/** A claim of a run. Times in Unix milliseconds. */
export type RunClaim = { owner: string; now: number; leaseUntil: number; endsBy: number };

/**
 * Claims an execution that no run holds, and makes it Running unless it is cancelled: one write that returns all
 * that its run needs of it. Undefined when a run holds it, or it is settled or deleted.
 */
export const claimExecution = async (
  db: Database,
  key: ExecutionKey,
  { owner, now, leaseUntil, endsBy }: RunClaim,
): Promise<OpenExecution | undefined> => {
  const claim = (change: LeaseChange) => {
    const lease = { holder: owner, until: leaseUntil };
    const counted = { setOnce: { endsBy }, add: { claims: 1 }, ...change };
    return writeLease(db, takeLease(leaseMembers(key), lease, now, counted));
  };
  const running = await claim({
    set: { status: "Running" },
    where: {
      expression: `attribute_exists(#leaseUntil) AND ${ifOpen.expression}`,
      values: ifOpen.values,
    },
  });
  if (running.written) return opened(running.execution);
  if (!running.execution?.lease || running.execution.item.status !== "Cancelled") return undefined;
  const cancelled = await claim({
    expect: { status: "Cancelled" },
    where: { expression: "attribute_exists(#leaseUntil)" },
  });
  return cancelled.written ? opened(cancelled.execution) : undefined;
};

/** Renews the lease of a run. Returns why it has to stop when it may not be renewed. */
export const renewExecution = async (
  db: Database,
  key: ExecutionKey,
  owner: string,
  leaseUntil: number,
): Promise<"renewed" | "cancelled" | "lost"> => {
  const where = { expression: "#status <> :cancelled", values: { ":cancelled": "Cancelled" } };
  const renewal = renewLease(leaseMembers(key), { holder: owner, until: leaseUntil }, { where });
  const { written, execution } = await writeLease(db, renewal);
  if (written) return "renewed";
  return execution?.lease?.owner === owner ? "cancelled" : "lost";
};

/**
 * Returns an execution from its run to the queue; false when the run does not hold it any more.
 * @param lease `isReached`: whether the run has come to its end, so that earlier claims do not count any more
 */
export const releaseExecution = async (
  db: Database,
  key: ExecutionKey,
  {
    owner,
    leaseUntil,
    isReached = false,
  }: { owner: string; leaseUntil: number; isReached?: boolean },
): Promise<boolean> => {
  const lease = { holder: owner, until: leaseUntil };
  const set = { sends: 1, ...(isReached && { claims: 1 }) };
  const release = releaseLease(leaseMembers(key), lease, { set });
  return (await writeLease(db, release)).written;
};

/** Takes an execution from a dead run or a lost message, to queue it again; false when it changed. */
export const requeueExecution = async (
  db: Database,
  key: ExecutionKey,
  { owner, leaseUntil }: ExecutionLease,
  until: number,
): Promise<boolean> => {
  const seen = { holder: owner, until: leaseUntil };
  const requeue = { holder: null, until };
  const update = takeOverLease(leaseMembers(key), seen, requeue, { add: { sends: 1 } });
  return (await writeLease(db, update)).written;
};
