import * as z from "zod";
import { waitKinds } from "../../engine/flow/waits.ts";
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
import type { TransactionWrite } from "../../platform/db/transact.ts";
import type { Json } from "../../values/json/json.ts";
import { answerKey, answersList, type ExecutionKey, waitKey, waitsList } from "../record/keys.ts";
import type { Storage } from "../record/values.ts";

type ExecutionIds = Pick<ExecutionKey, "tenantId" | "executionId">;

/** Compressed bytes of an answer in an item; the bucket costs less for more. */
const maxItemBytes = 8_192;

/** A wait that a run opened at a path. Times in Unix milliseconds. */
export const StoredWait = z.object({
  kind: z.enum(waitKinds),
  path: z.string(),
  since: z.int(),
  until: z.int(),
  /** The approval that it waits for. */
  approvalId: z.string().optional(),
  /** The webhook of the event that it waits for. */
  webhookId: z.string().optional(),
  /** Hash of the tool call that the approval shows. */
  argumentsHash: z.string().optional(),
});
export type StoredWait = z.output<typeof StoredWait>;

/** A stored answer. */
export const AnswerItem = z.object({
  answerTo: z.string(),
  /** Unix milliseconds. */
  at: z.int(),
  answer: PackedValue.optional(),
  /** Unix seconds. */
  ttl: z.int(),
});

/** The answer to the wait at a path; without `answer` its time was over. `at`: Unix milliseconds. */
export type WaitAnswer = { path: string; at: number; answer?: Json | undefined };

/** Builds the write of the one answer to a wait, or of the end of its time. `objectKey`: unique; `ttl`: Unix seconds. */
export const buildAnswer = async (
  objects: ObjectStore,
  { tenantId, executionId }: ExecutionIds,
  { path, at, answer }: WaitAnswer,
  { objectKey, ttl }: { objectKey: string; ttl: number },
): Promise<TransactionWrite> => {
  const packed =
    answer === undefined
      ? {}
      : { answer: await packValue(answer, objectKey, objects, maxItemBytes) };
  const item = { answerTo: path, at, ...packed, ttl };
  return { Put: { Item: { ...answerKey(tenantId, executionId, path), ...item }, ...ifNew } };
};

/** Builds the write that stores a wait. `ttl`: Unix seconds. */
export const putWait = (
  { tenantId, executionId }: ExecutionIds,
  wait: StoredWait,
  ttl: number,
): TransactionWrite => ({
  Put: { Item: { ...waitKey(tenantId, executionId, wait.path), ...wait, ttl } },
});

/** TENANT#t#EXEC#id / WAIT#…: lists the stored waits of an execution, those that have ended, too. */
export const listWaits = (
  db: Database,
  { tenantId, executionId }: ExecutionIds,
): Promise<StoredWait[]> =>
  Array.fromAsync(listAll(db, StoredWait, waitsList(tenantId, executionId)));

/**
 * TENANT#t#EXEC#id / WAIT#…, ANSWER#…: lists the waits of an execution that have not ended at a time, the first end first. Timers
 * end without an answer.
 */
export const listOpenWaits = async (
  db: Database,
  { tenantId, executionId }: ExecutionIds,
  now: number,
): Promise<StoredWait[]> => {
  const [waits, answers] = await Promise.all([
    listWaits(db, { tenantId, executionId }),
    Array.fromAsync(listAll(db, Answered, answersList(tenantId, executionId))),
  ]);
  const answered = new Set(answers.map(({ answerTo }) => answerTo));
  return waits
    .filter(({ kind, path, until }) => !answered.has(path) && (kind !== "Timer" || until > now))
    .toSorted((one, other) => one.until - other.until);
};

const Answered = z.object({ answerTo: z.string() });

/** Builds the write that deletes a wait. */
export const deleteWait = (
  { tenantId, executionId }: ExecutionIds,
  path: string,
): TransactionWrite => ({
  Delete: { Key: waitKey(tenantId, executionId, path) },
});

/** Reads a stored answer. */
export const readAnswer = async (
  objects: ObjectStore,
  { answerTo: path, at, answer }: z.output<typeof AnswerItem>,
): Promise<WaitAnswer> => ({
  path,
  at,
  ...(answer && { answer: z.custom<Json>().parse(await unpackValue(answer, objects)) }),
});

/** TENANT#t#EXEC#id / ANSWER#path: reads the answer to a wait; undefined before. */
export const getAnswer = async (
  { db, objects }: Storage,
  { tenantId, executionId }: ExecutionIds,
  path: string,
): Promise<WaitAnswer | undefined> => {
  const item = await getItem(db, answerKey(tenantId, executionId, path), AnswerItem);
  return item && readAnswer(objects, item);
};
