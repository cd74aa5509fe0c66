import type { Database } from "../../platform/db/database.ts";
import { getItems } from "../../platform/db/get-items.ts";
import { listIndex } from "../../platform/db/list-index.ts";
import type { ListRequest } from "../../platform/db/list-request.ts";
import { StoredExecution } from "../record/execution-record.ts";
import {
  batchSortKey,
  executionKey,
  openShards,
  selectRecoverable,
  toExecutionKey,
} from "../record/keys.ts";
import type { OpenExecution } from "./execution-lease.ts";
import { QueuedBatch } from "./queued-batch.ts";

/**
 * Lists the executions that are not settled: keys from the index of open executions, then their
 * records. Includes ids of a later time, because starters may choose the id.
 */
export async function* listOpenExecutions(db: Database): AsyncGenerator<OpenExecution> {
  for (const pk of openShards) {
    for await (const { execution } of listEntries(db, { list: { pk, prefix: "EXEC#" } })) {
      if (execution?.lease) yield { ...execution, lease: execution.lease };
    }
  }
}

/** An execution that is not settled, or a batch with none that its entry stands for. */
type OpenEntry =
  | { execution: StoredExecution; emptyBatch?: never }
  | { emptyBatch: QueuedBatch; execution?: never };

/**
 * Lists the executions that are not settled, as `listOpenExecutions`, and those that wait and are overdue. Reads no other
 * waiting ones. `now`: Unix milliseconds.
 */
export async function* listRecoverable(db: Database, now: number): AsyncGenerator<OpenEntry> {
  for (const pk of openShards) {
    yield* listEntries(db, { list: { pk, prefix: "" }, between: selectRecoverable(now) });
  }
}

async function* listEntries(db: Database, request: ListRequest): AsyncGenerator<OpenEntry> {
  for await (const keys of listIndex(db, request)) {
    const batches = keys.filter(({ sk }) => sk === batchSortKey);
    const alone = keys.filter(({ sk }) => sk !== batchSortKey);
    for (const execution of await getItems(db, alone, StoredExecution)) {
      if (execution) yield { execution };
    }
    const found = await getItems(db, batches, QueuedBatch);
    yield* listOfBatches(
      db,
      found.filter((batch) => batch !== undefined),
    );
  }
}

async function* listOfBatches(
  db: Database,
  batches: readonly QueuedBatch[],
): AsyncGenerator<OpenEntry> {
  const keys = batches.flatMap(({ executions }) =>
    executions.map((found) => executionKey(toExecutionKey(found))),
  );
  const found = (await getItems(db, keys, StoredExecution)).values();
  for (const batch of batches) {
    const open = batch.executions.flatMap(() => {
      const execution = found.next().value;
      return execution?.lease && !execution.isInIndex ? [execution] : [];
    });
    if (open.length === 0) yield { emptyBatch: batch };
    for (const execution of open) yield { execution };
  }
}
