import { ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import { putItem, updateItem } from "../../platform/db/write-item.ts";
import type { EndInput, EndWrite, JoinEnd, NewRecord } from "../job/job.ts";
import {
  type ExecutionRecord,
  ifOpen,
  leaseAttributes,
  toStored,
} from "../record/execution-record.ts";
import { type ExecutionKey, executionKey, toExecutionKey } from "../record/keys.ts";
import { toStoredOutcome } from "../record/results.ts";
import { type ExecutionRetention, type PlacedOutcome, placeOutcome } from "../record/values.ts";
import { ifDormant } from "../record/waiting-store.ts";
import {
  releaseAsRead,
  releaseFree,
  type SessionEnd,
  type SessionWrites,
} from "../session/release-session.ts";

type WriteInput = {
  end: Pick<EndInput, "outcome" | "owner" | "unwritten">;
  /** The tenant's, by which the record and the trace expire. */
  retention: ExecutionRetention;
  /** Writes of others, such as counters and events. */
  writes: readonly EndWrite[];
  /** The session that it may hold. */
  session?: SessionEnd | undefined;
};

/** Whether the end was written; `session`: what became of its session. */
export type WrittenEnd = { written: boolean; session: SessionWrites | undefined };

type EndStorage = { db: Database; objects: ObjectStore; joinEnd?: JoinEnd | undefined };

/**
 * Writes the final state of an open execution together with the writes of others, in
 * one transaction, so that every execution is counted once. A cancelled execution keeps its state
 * and records its usage, once. Its session is free, or that of the next execution, in the same transaction. Not written when it has ended, is held by another run, has another
 * reservation, or was deleted.
 * @param input `from`: the state that the execution may be in: open, or cancelled and not counted
 */
export const writeEnd = (
  storage: EndStorage,
  { from, ...input }: WriteInput & { from: "open" | "cancelled" },
): Promise<WrittenEnd> =>
  from === "open"
    ? tryEnd(storage, input, {
        members: changesAtTheEnd,
        more: input.end.outcome.item.status === "Cancelled" ? { settled: true } : {},
        condition: ifOpen,
        unwritten: input.end.unwritten,
      })
    : tryEnd(storage, input, {
        members: changesWhenSettled,
        more: { settled: true },
        condition: {
          expression: "#status = :cancelled AND attribute_not_exists(settled)",
          values: { ":cancelled": "Cancelled" },
        },
      });

const changesWhenSettled: readonly string[] = [
  "inputTokens",
  "outputTokens",
  "cachedTokens",
  "thinkingTokens",
  "inputCost",
  "outputCost",
  "cachedCost",
  "thinkingCost",
  "totalCost",
  "priced",
  "totalCostWithSubAgents",
  "pricedWithSubAgents",
];
const changesAtTheEnd = [
  ...changesWhenSettled,
  "status",
  "errorType",
  "errorDetail",
  "endTime",
  "endUserId",
];

/** Compressed bytes of output, error and trace that the record has room for: a page of a list reads them. */
const maxInline = 1_000;

type EndChange = {
  members: readonly string[];
  more: Record<string, unknown>;
  condition: { expression: string; values: Record<string, string> };
  /** The record to write, if there is none yet. */
  unwritten?: NewRecord | undefined;
};

/** Attempts at an end while others change its session. */
const maxAttempts = 50;

const tryEnd = async (
  storage: EndStorage,
  input: WriteInput,
  change: EndChange,
  session: SessionWrites | undefined = input.session && releaseFree(input.session),
  attempt = 1,
): Promise<WrittenEnd> => {
  const { db, objects } = storage;
  const { end, retention, writes } = input;
  const { outcome } = end;
  const key = toExecutionKey(outcome.item);
  const stored = { outcome: toStoredOutcome(outcome), retention };
  const placed = await placeOutcome(objects, key, stored, maxInline);
  await Promise.all(placed.parts.map(({ item: Item }) => putItem(db, { Item })));
  const record = change.unwritten
    ? { Put: toEndPut(change.unwritten, outcome.item, placed.members) }
    : { Update: toEndUpdate(key, end, placed.members, change) };
  const ofSession = session?.writes ?? [];
  const all = [record, ...writes.map(({ write }) => write), ...ofSession];
  // A sub-agent's run, which has no owner, would wait for its parent's.
  const joinEnd = attempt === 1 && !session && end.owner !== null ? storage.joinEnd : undefined;
  const written = await (joinEnd?.(all) ?? transact(db, all));
  if (written.written) return { written: true, session };
  const [isRecordLeft, ...failed] = written.failed;
  const mayReplace =
    failed.includes(true) && writes.every(({ otherwise }, at) => !failed[at] || otherwise);
  if (isRecordLeft || !mayReplace) return { written: false, session: undefined };
  const replaced = writes.map((write, at) =>
    failed[at] && write.otherwise ? { write: write.otherwise } : write,
  );
  const changed = failed.slice(writes.length).includes(true) ? input.session : undefined;
  if (changed && attempt === maxAttempts) throw new Error("the session is being changed");
  const next = changed ? await releaseAsRead(db, changed) : session;
  return tryEnd(storage, { ...input, writes: replaced }, change, next, attempt + 1);
};

/** Builds the write of an execution that was not written before it ended. */
const toEndPut = (
  record: NewRecord,
  item: ExecutionRecord,
  outcome: PlacedOutcome["members"],
): NonNullable<TransactionWrite["Put"]> => ({
  Item: { ...record, ...toStored(item), ...outcome, ...(!item.hasTrace && { hasTrace: false }) },
  ...ifNew,
});

const toEndUpdate = (
  key: ExecutionKey,
  { outcome: { item }, owner }: WriteInput["end"],
  stored: PlacedOutcome["members"],
  { members, more, condition }: EndChange,
) => {
  const { reserved } = item;
  const changed = Object.entries(toStored(item)).filter(([name]) => members.includes(name));
  const set = [...changed, ...Object.entries(stored), ...Object.entries(more)];
  const hidden = item.hasTrace ? [] : [["hasTrace", false] as const];
  const removed = [...leaseAttributes, ...(item.hasTrace ? ["hasTrace"] : [])];
  const conditions = [
    condition.expression,
    reserved === 0
      ? "(attribute_not_exists(reserved) OR reserved = :reserved)"
      : "reserved = :reserved",
    ...(owner === null ? [] : ["#owner = :owner"]),
  ];
  const all = [...set, ...hidden];
  return {
    Key: executionKey(key),
    UpdateExpression: `SET ${all.map(([name]) => `#${name} = :${name}`).join(", ")} REMOVE ${removed.map((name) => `#${name}`).join(", ")}`,
    ConditionExpression: conditions.join(" AND "),
    ExpressionAttributeNames: Object.fromEntries(
      ["status", ...all.map(([name]) => name), ...removed].map((name) => [`#${name}`, name]),
    ),
    ExpressionAttributeValues: {
      ...Object.fromEntries(all.map(([name, value]) => [`:${name}`, value])),
      ...condition.values,
      ":reserved": reserved,
      ...(owner !== null && { ":owner": owner }),
    },
  };
};

/**
 * Cancels a queued or running execution; its run then stops and counts its usage. Returns "ended" when it has
 * ended.
 */
export const cancelExecutionItem = async (
  db: Database,
  key: ExecutionKey,
  endTime: number,
): Promise<"written" | "ended"> => {
  const { written } = await updateItem(db, {
    Key: executionKey(key),
    UpdateExpression: "SET #status = :cancelled, endTime = :now",
    ConditionExpression: `${ifOpen.expression} AND #status <> :waiting AND NOT ${ifDormant}`,
    ExpressionAttributeNames: { "#status": "status" },
    ExpressionAttributeValues: {
      ":queued": "Queued",
      ":cancelled": "Cancelled",
      ":now": endTime,
      ":waiting": "Waiting",
      ...ifOpen.values,
    },
  });
  return written ? "written" : "ended";
};
