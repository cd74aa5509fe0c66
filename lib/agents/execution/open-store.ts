import * as z from "zod";
import { ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { listAll } from "../../platform/db/list-page.ts";
import { patch, patchItem } from "../../platform/db/patch-item.ts";
import { TenantId } from "../../platform/db/tenant-id.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { deleteItem, updateItem } from "../../platform/db/write-item.ts";
import { ChosenId, Uuid } from "../../platform/http/ids.ts";
import { openExecutionKey, openExecutionsLists } from "../keys.ts";

/** An execution that is not settled: its owner and the end of the lease, Unix milliseconds. */
export const OpenExecution = z.object({
  tenantId: TenantId,
  agentId: ChosenId,
  executionId: Uuid,
  /** Token of the run that holds it; null while it is queued. */
  owner: z.string().nullable(),
  /** After this time the run counts as dead, or the queued message as lost. */
  leaseUntil: z.int(),
  /** Deadline of the whole execution; absent until it runs. */
  endsBy: z.int().optional(),
  /** Maximum duration in milliseconds; absent for the general maximum. */
  limitMs: z.int().optional(),
  /** Number of times that a worker claimed it. */
  claims: z.int(),
  /** Number of times that it was queued. */
  sends: z.int(),
  cancelled: z.boolean(),
});
export type OpenExecution = z.output<typeof OpenExecution>;

/** Builds the write that opens an execution. */
export const putOpen = (open: OpenExecution): TransactionWrite => ({
  Put: {
    Item: { ...openExecutionKey(open.executionId), ...open },
    ...ifNew,
  },
});

/** Builds the write that settles an execution held by the given run. */
export const deleteOpen = (executionId: string, owner: string): TransactionWrite => ({
  Delete: {
    Key: openExecutionKey(executionId),
    ConditionExpression: "#owner = :owner",
    ExpressionAttributeNames: { "#owner": "owner" },
    ExpressionAttributeValues: { ":owner": owner },
  },
});

/** Builds the write that marks an open execution as cancelled, so that its run stops. */
export const markCancelled = (executionId: string): TransactionWrite => ({
  Update: patch(openExecutionKey(executionId), { set: { cancelled: true } }),
});

type Values = Record<string, unknown>;

const updateOpen = async (
  db: Database,
  executionId: string,
  UpdateExpression: string,
  ConditionExpression: string,
  ExpressionAttributeValues: Values,
): Promise<OpenExecution | undefined> => {
  const { written, item } = await updateItem(db, {
    Key: openExecutionKey(executionId),
    UpdateExpression,
    ConditionExpression,
    ExpressionAttributeNames: { "#owner": "owner" },
    ExpressionAttributeValues,
    ReturnValues: "ALL_NEW",
  });
  return written ? OpenExecution.parse(item) : undefined;
};

/** Claims an execution that no run holds; undefined when a run does, or it is settled. */
export const claimOpen = (
  db: Database,
  executionId: string,
  claim: { owner: string; now: number; leaseUntil: number; endsBy: number },
): Promise<OpenExecution | undefined> =>
  updateOpen(
    db,
    executionId,
    "SET #owner = :owner, leaseUntil = :until, endsBy = if_not_exists(endsBy, :endsBy), claims = claims + :one",
    "attribute_exists(pk) AND (#owner = :nobody OR leaseUntil < :now)",
    {
      ":owner": claim.owner,
      ":until": claim.leaseUntil,
      ":endsBy": claim.endsBy,
      ":nobody": null,
      ":now": claim.now,
      ":one": 1,
    },
  );

/** Renews the lease of a run; undefined when the run no longer holds the execution, or it is cancelled. */
export const renewOpen = (
  db: Database,
  executionId: string,
  owner: string,
  leaseUntil: number,
): Promise<OpenExecution | undefined> =>
  patchItem(db, openExecutionKey(executionId), OpenExecution, {
    set: { leaseUntil },
    expect: { owner, cancelled: false },
  });

/** Returns an execution from its run to the queue. */
export const releaseOpen = (
  db: Database,
  executionId: string,
  owner: string,
  leaseUntil: number,
): Promise<OpenExecution | undefined> =>
  patchItem(db, openExecutionKey(executionId), OpenExecution, {
    set: { owner: null, leaseUntil, sends: 1 },
    expect: { owner },
  });

/** Takes an execution from a dead run, or one whose message was lost, to queue it again. */
export const requeueOpen = (
  db: Database,
  { executionId, leaseUntil }: OpenExecution,
  until: number,
): Promise<OpenExecution | undefined> =>
  updateOpen(
    db,
    executionId,
    "SET #owner = :nobody, leaseUntil = :until, sends = sends + :one",
    "leaseUntil = :seen",
    { ":nobody": null, ":until": until, ":one": 1, ":seen": leaseUntil },
  );

/** OPEN#shard / EXEC#id: reads an open execution; undefined when it is settled. */
export const getOpen = (db: Database, executionId: string): Promise<OpenExecution | undefined> =>
  getItem(db, openExecutionKey(executionId), OpenExecution);

/** OPEN#…: lists all executions that are not settled. */
export async function* listOpen(db: Database): AsyncGenerator<OpenExecution> {
  for (const list of openExecutionsLists) yield* listAll(db, OpenExecution, list);
}

/** Deletes the open item of an execution whose agent was deleted. */
export const forgetOpen = async (db: Database, executionId: string): Promise<void> => {
  await deleteItem(db, { Key: openExecutionKey(executionId) });
};
