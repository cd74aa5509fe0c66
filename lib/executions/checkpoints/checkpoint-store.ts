import * as z from "zod";
import type { Span, StepOutcome } from "../../engine/flow/flow-result.ts";
import { ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import {
  type ObjectStore,
  PackedValue,
  packValue,
  unpackValue,
} from "../../platform/db/large-value.ts";
import { listAll } from "../../platform/db/list-page.ts";
import { stepsPrefix } from "../../platform/db/table.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { putItem } from "../../platform/db/write-item.ts";
import {
  type ExecutionKey,
  executionChildrenList,
  stepKey,
  stepsList,
  subExecutionKey,
  subExecutionsList,
} from "../record/keys.ts";
import type { Storage } from "../record/values.ts";
import { AnswerItem, readAnswer, StoredWait, type WaitAnswer } from "./wait-store.ts";

const Outcome = z.custom<StepOutcome>((value) => typeof value === "object" && value !== null);
const StepItem = z.object({
  /** Steps that finished since the checkpoint before. */
  steps: PackedValue,
  /** Unix seconds. */
  ttl: z.int(),
});

/** An execution ends long before, or waits: runs take at most 15 minutes together. */
const keptSeconds = 24 * 3_600;

/** Compressed bytes of a checkpoint in an item; the bucket costs less for more. */
const maxItemBytes = 8_192;

/**
 * Stores finished steps, so that a resumed run does not repeat them; they expire. Returns the key of the object
 * in the bucket, if they needed one.
 */
export const putSteps = async (
  { db, objects }: Storage,
  { tenantId, agentId, executionId }: ExecutionKey,
  { name, outcomes }: { name: string; outcomes: readonly StepOutcome[] },
  now: number,
): Promise<string | undefined> => {
  const folder = `${tenantId}/${agentId}/executions/${executionId}`;
  const objectKey = `${stepsPrefix}/${folder}/${encodeURIComponent(name)}`;
  const steps = await packValue(outcomes, objectKey, objects, maxItemBytes);
  const ttl = Math.ceil(now / 1_000) + keptSeconds;
  await putItem(db, { Item: { ...stepKey(tenantId, executionId, name), steps, ttl } });
  return "object" in steps ? steps.object : undefined;
};

/** The checkpoint of a wait has all finished steps. */
const waitCheckpoint = "~wait";

/** Builds the write that stores all finished steps of an execution for as long as it waits. `objectKey`: unique to the run. */
export const buildWaitCheckpoint = async (
  objects: ObjectStore,
  { tenantId, executionId }: ExecutionKey,
  {
    outcomes,
    objectKey,
    ttl,
  }: { outcomes: readonly StepOutcome[]; objectKey: string; ttl: number },
): Promise<TransactionWrite> => {
  const steps = await packValue(outcomes, objectKey, objects, maxItemBytes);
  return { Put: { Item: { ...stepKey(tenantId, executionId, waitCheckpoint), steps, ttl } } };
};

type ExecutionIds = Pick<ExecutionKey, "tenantId" | "executionId">;

/** TENANT#t#EXEC#id / STEP#…: lists the finished steps of an execution by id. */
export const listSteps = async (
  { db, objects }: Storage,
  { tenantId, executionId }: ExecutionIds,
  now: number,
): Promise<Map<string, StepOutcome>> => {
  const found = new Map<string, StepOutcome>();
  for await (const item of listAll(db, StepItem, stepsList(tenantId, executionId))) {
    for (const outcome of await readStepItem(objects, item, now)) addOutcome(found, outcome);
  }
  return withoutEnded(found);
};

/** Adds an outcome; of a suspended step the last one counts. */
const addOutcome = (found: Map<string, StepOutcome>, outcome: StepOutcome): void => {
  const { stepId, suspended } = outcome;
  const other = found.get(stepId)?.suspended?.count ?? 0;
  if (!suspended || suspended.count >= other) found.set(stepId, outcome);
};

/** Omits suspended steps that were resumed and have finished since. */
const withoutEnded = (found: ReadonlyMap<string, StepOutcome>): Map<string, StepOutcome> =>
  new Map([...found].filter(([, { suspended }]) => !suspended || !found.has(suspended.stepId)));

/** Reads the finished steps of an item. What has expired is in the checkpoint of a wait, and its object may be gone. */
const readStepItem = async (
  objects: ObjectStore,
  { steps, ttl }: z.output<typeof StepItem>,
  now: number,
): Promise<readonly StepOutcome[]> =>
  ttl * 1_000 <= now ? [] : z.array(Outcome).parse(await unpackValue(steps, objects));

/** Finished and suspended steps of an execution by id, and its waits and their answers by path. */
export type StoredProgress = {
  readonly completed: ReadonlyMap<string, StepOutcome>;
  readonly waits: ReadonlyMap<string, StoredWait>;
  readonly answers: ReadonlyMap<string, WaitAnswer>;
};

const ProgressItem = z.union([
  AnswerItem,
  StepItem,
  StoredWait,
  z.object({}).transform(() => undefined),
]);

/** TENANT#t#EXEC#id: reads the finished steps and the waits of an execution. */
export const readProgress = async (
  { db, objects }: Storage,
  { tenantId, executionId }: ExecutionIds,
  now: number,
): Promise<StoredProgress> => {
  const completed = new Map<string, StepOutcome>();
  const waits = new Map<string, StoredWait>();
  const answers = new Map<string, WaitAnswer>();
  const list = executionChildrenList(tenantId, executionId);
  for await (const item of listAll(db, ProgressItem, list)) {
    if (item === undefined) continue;
    if ("kind" in item) waits.set(item.path, item);
    else if ("answerTo" in item) answers.set(item.answerTo, await readAnswer(objects, item));
    else for (const step of await readStepItem(objects, item, now)) addOutcome(completed, step);
  }
  return { completed: withoutEnded(completed), waits, answers };
};

/** A sub-agent's execution, stored under its path in the parent's run. */
export const SubExecution = z.object({
  agentId: z.string(),
  executionId: z.string(),
});
export type SubExecution = z.output<typeof SubExecution>;

/** Builds the write that records a sub-agent's execution at a path; a path has one. */
export const putSubExecution = (
  tenantId: TenantId,
  parentId: string,
  path: string,
  { agentId, executionId }: SubExecution,
): TransactionWrite => ({
  Put: {
    Item: {
      ...subExecutionKey(tenantId, parentId, path),
      agentId,
      executionId,
    },
    ...ifNew,
  },
});

/** TENANT#t#EXEC#id / CHILD#path: reads the sub-agent's execution that was started at a path. */
export const getSubExecution = (
  db: Database,
  tenantId: TenantId,
  parentId: string,
  path: string,
): Promise<SubExecution | undefined> =>
  getItem(db, subExecutionKey(tenantId, parentId, path), SubExecution);

/** TENANT#t#EXEC#id / CHILD#…: lists the sub-agents' executions of a run. */
export const listSubExecutions = (
  db: Database,
  tenantId: TenantId,
  parentId: string,
): Promise<SubExecution[]> =>
  Array.fromAsync(listAll(db, SubExecution, subExecutionsList(tenantId, parentId)));

const NamedSubExecution = SubExecution.extend({
  /** `CHILD#` and the path. */
  sk: z.string(),
});

/** TENANT#t#EXEC#id / CHILD#…: lists the sub-agents' executions of all runs with their paths. */
export const listNamedSubExecutions = async (
  db: Database,
  tenantId: TenantId,
  parentId: string,
): Promise<[path: string, child: SubExecution][]> => {
  const list = subExecutionsList(tenantId, parentId);
  const items = await Array.fromAsync(listAll(db, NamedSubExecution, list));
  return items.map(({ sk, ...child }) => [sk.slice(list.prefix.length), child]);
};

/** No step id starts with it. */
const prefix = "~";

/**
 * Keeps the spans of steps that a handed-over run did not finish, under an id that no step has: the steps run
 * again, but their usage is counted.
 */
export const interrupted = (runId: string, spans: readonly Span[]): StepOutcome => ({
  stepId: prefix + runId,
  output: null,
  spans,
});

/** Returns whether an outcome holds the spans of unfinished steps that begin again. */
export const isInterrupted = ({ stepId, suspended }: StepOutcome): boolean =>
  stepId.startsWith(prefix) && !suspended;
