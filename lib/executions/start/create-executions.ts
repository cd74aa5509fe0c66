import type { Database } from "../../platform/db/database.ts";
import { type InsertOutcome, insertTogether } from "../../platform/db/insert-together.ts";
import type { Key } from "../../platform/db/keys.ts";
import { putItem } from "../../platform/db/write-item.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { splitEvery } from "../../platform/runtime/split-every.ts";
import { minBatch, toQueuedBatch } from "../lease/queued-batch.ts";
import { maxRunsPerMessage } from "../messages.ts";
import { toExecutionKey } from "../record/keys.ts";
import { putNewExecution } from "../record/store.ts";
import type { NewItems } from "./new-record.ts";
import type { PlannedStart } from "./plan-start.ts";
import {
  buildItems,
  type CreatedExecution,
  createExecution,
  maxInlineTogether,
  type StartDeps,
  toQueuedExecution,
} from "./start-execution.ts";

type Failure = { error: unknown };

/**
 * Writes new executions of one tenant independently, without queueing them. Returns for each
 * request, in order, the execution or why it could not be written. Recovery queues the unqueued
 * ones within two minutes. Records and inputs are written in one call, in no order, so the starter
 * must repeat a failed start until it succeeds: an execution without its input cannot run. Not for
 * sub-agents.
 */
export const createExecutions = async (
  deps: StartDeps,
  requests: readonly PlannedStart[],
): Promise<(CreatedExecution | Failure)[]> => {
  const created = new Map<PlannedStart, CreatedExecution | Failure>();
  // In their order, which is that of their turns.
  for (const request of requests) {
    if (!request.session) continue;
    const creation = createExecution(deps, request);
    created.set(request, await creation.catch((error: unknown): Failure => ({ error })));
  }
  const others = requests.filter((request) => !created.has(request));
  const creating = splitEvery(others, maxRunsPerMessage).map((batch) => createBatch(deps, batch));
  for (const written of await Promise.all(creating)) {
    for (const [request, outcome] of written) created.set(request, outcome);
  }
  return requests.map((request) => created.get(request) ?? { error: new Error("not written") });
};

type Built = { request: PlannedStart; items: NewItems };

/** Writes executions that fit in one message. */
const createBatch = async (
  deps: StartDeps,
  requests: readonly PlannedStart[],
): Promise<Map<PlannedStart, CreatedExecution | Failure>> => {
  const now = deps.runtime.clock();
  const isInBatch = requests.length >= minBatch;
  const failures = new Map<PlannedStart, Failure>();
  const built = await Promise.all(
    requests.map(async (request): Promise<Built[]> => {
      try {
        return [
          {
            request,
            items: await buildItems(deps, { request, maxInline: maxInlineTogether, isInBatch }),
          },
        ];
      } catch (error) {
        failures.set(request, { error });
        return [];
      }
    }),
  );
  const all = built.flat();
  const [first] = all;
  if (!first) return failures;
  const batchId = isInBatch ? newUuid(deps.runtime) : undefined;
  const keys = all.map(({ items }) => toExecutionKey(items.item));
  const batch =
    batchId === undefined ? undefined : toQueuedBatch(first.request.tenantId, batchId, keys);
  const inserted = await insertAll(deps.db, all, batch);
  // Of others, one may exist that is not queued: their batch stays until recovery finds that all have ended.
  const isWhole = [...inserted.values()].every((outcome) => outcome === "written");
  const outcomes = all.map(({ request, items }): [PlannedStart, CreatedExecution | Failure] => {
    const outcome = inserted.get(items) ?? { error: new Error("not written") };
    if (typeof outcome !== "string") return [request, outcome];
    const isNew = outcome === "written";
    const message = toQueuedExecution(request, items, { isNew, now });
    const queued = { ...message, ...(isWhole && batchId !== undefined && { batchId }) };
    return [request, { item: items.item, isNew, isDormant: false, queued }];
  });
  return new Map([...failures, ...outcomes]);
};

/** Writes executions, after the batch that they are in: recovery finds every execution that is written. */
const insertAll = async (
  db: Database,
  all: readonly Built[],
  batch: (Key & Record<string, unknown>) | undefined,
): Promise<Map<NewItems, InsertOutcome>> => {
  const writes = all.map(({ items }) => items);
  try {
    if (batch) await putItem(db, { Item: batch });
    const [first, ...others] = writes;
    if (first && !first.part && others.length === 0) {
      return new Map([[first, await putNewExecution(db, first.record)]]);
    }
  } catch (error) {
    return new Map(writes.map((items) => [items, { error }]));
  }
  const items = writes.flatMap(({ record, part }) => (part ? [record, part.item] : [record]));
  const inserted = await insertTogether(db, items);
  const outcomes = new Map(items.map((item, at) => [item, inserted[at]]));
  return new Map(
    writes.map((one) => {
      const part = one.part && outcomes.get(one.part.item);
      return [one, typeof part === "object" ? part : (outcomes.get(one.record) ?? "exists")];
    }),
  );
};
