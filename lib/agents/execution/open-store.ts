import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { openExecutionKey, openExecutionsLists } from "../../platform/db/keys.ts";
import { listAll } from "../../platform/db/list-page.ts";
import { TenantId } from "../../platform/db/tenant-id.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { ChosenId, Uuid } from "../../platform/http/ids.ts";

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
    ConditionExpression: "attribute_not_exists(pk)",
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
  Update: {
    Key: openExecutionKey(executionId),
    UpdateExpression: "SET cancelled = :true",
    ConditionExpression: "attribute_exists(pk)",
    ExpressionAttributeValues: { ":true": true },
  },
});

type Values = Record<string, unknown>;

const updateOpen = async (
  db: Database,
  executionId: string,
  UpdateExpression: string,
  ConditionExpression: string,
  ExpressionAttributeValues: Values,
): Promise<OpenExecution | undefined> => {
  try {
    const command = new UpdateCommand({
      TableName: db.table,
      Key: openExecutionKey(executionId),
      UpdateExpression,
      ConditionExpression,
      ExpressionAttributeNames: { "#owner": "owner" },
      ExpressionAttributeValues,
      ReturnValues: "ALL_NEW",
    });
    const { Attributes } = await db.client.send(command);
    return OpenExecution.parse(Attributes);
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
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
  updateOpen(db, executionId, "SET leaseUntil = :until", "#owner = :owner AND cancelled = :false", {
    ":until": leaseUntil,
    ":owner": owner,
    ":false": false,
  });

/** Returns an execution from its run to the queue. */
export const releaseOpen = (
  db: Database,
  executionId: string,
  owner: string,
  leaseUntil: number,
): Promise<OpenExecution | undefined> =>
  updateOpen(
    db,
    executionId,
    "SET #owner = :nobody, leaseUntil = :until, sends = :one",
    "#owner = :owner",
    { ":nobody": null, ":until": leaseUntil, ":owner": owner, ":one": 1 },
  );

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
export const getOpen = async (
  db: Database,
  executionId: string,
): Promise<OpenExecution | undefined> => {
  const { Item } = await db.client.send(
    new GetCommand({
      TableName: db.table,
      Key: openExecutionKey(executionId),
      ConsistentRead: true,
    }),
  );
  return Item && OpenExecution.parse(Item);
};

/** OPEN#…: lists all executions that are not settled. */
export async function* listOpen(db: Database): AsyncGenerator<OpenExecution> {
  for (const list of openExecutionsLists) yield* listAll(db, OpenExecution, list);
}

/** Deletes the open item of an execution whose agent was deleted. */
export const forgetOpen = async (db: Database, executionId: string): Promise<void> => {
  await db.client.send(
    new DeleteCommand({ TableName: db.table, Key: openExecutionKey(executionId) }),
  );
};
