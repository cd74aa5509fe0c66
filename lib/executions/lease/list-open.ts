import type { Database } from "../../platform/db/database.ts";
import { getItems } from "../../platform/db/get-items.ts";
import { listIndex } from "../../platform/db/list-index.ts";
import type { ListRequest } from "../../platform/db/list-request.ts";
import { StoredExecution } from "../record/execution-record.ts";
import { openShards, selectRecoverable } from "../record/keys.ts";
import type { OpenExecution } from "./execution-lease.ts";

/**
 * Lists the executions that are not settled: keys from the index of open executions, then their
 * records. Includes ids of a later time, because starters may choose the id.
 */
export async function* listOpenExecutions(db: Database): AsyncGenerator<OpenExecution> {
  for (const pk of openShards) {
    for await (const record of listRecords(db, { list: { pk, prefix: "EXEC#" } })) {
      if (record.lease) yield { ...record, lease: record.lease };
    }
  }
}

/**
 * Lists the executions that are not settled, as `listOpenExecutions`, and those that wait and are overdue. Reads no other
 * waiting ones. `now`: Unix milliseconds.
 */
export async function* listRecoverable(db: Database, now: number): AsyncGenerator<StoredExecution> {
  for (const pk of openShards) {
    yield* listRecords(db, { list: { pk, prefix: "" }, between: selectRecoverable(now) });
  }
}

async function* listRecords(db: Database, request: ListRequest): AsyncGenerator<StoredExecution> {
  for await (const keys of listIndex(db, request)) {
    for (const record of await getItems(db, keys, StoredExecution)) if (record) yield record;
  }
}
