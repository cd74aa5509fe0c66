import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { openExecutionKey, openExecutionsLists } from "../../platform/db/keys.ts";
import { listAll } from "../../platform/db/list-page.ts";
import { TenantId } from "../../platform/db/tenant-id.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { ChosenId, Uuid } from "../../platform/http/ids.ts";

/** An execution that is not settled: who works on it, and until when that is believed. Unix milliseconds. */
export const OpenExecution = z.object({
  tenantId: TenantId,
  agentId: ChosenId,
  executionId: Uuid,
  /** Token of the run that has it; null while it waits in the queue. */
  owner: z.string().nullable(),
  /** A run that has not renewed its lease by then is taken for dead, a message for lost. */
  leaseUntil: z.int(),
  /** When the execution as a whole must have ended; absent until it was begun. */
  endsBy: z.int().optional(),
  /** How long the execution may take from when it is begun, in milliseconds; absent for as long as any may. */
  limitMs: z.int().optional(),
  /** How often a worker took it up. */
  claims: z.int(),
  /** How often it was put on the queue. */
  sends: z.int(),
  cancelled: z.boolean(),
});
export type OpenExecution = z.output<typeof OpenExecution>;

/** Part of a transaction: the execution is open. */
export const putOpen = (open: OpenExecution): TransactionWrite => ({
  Put: {
    Item: { ...openExecutionKey(open.executionId), ...open },
    ConditionExpression: "attribute_not_exists(pk)",
  },
});

/** Part of a transaction: the execution is settled, by the run that has it. */
export const deleteOpen = (executionId: string, owner: string): TransactionWrite => ({
  Delete: {
    Key: openExecutionKey(executionId),
    ConditionExpression: "#owner = :owner",
    ExpressionAttributeNames: { "#owner": "owner" },
    ExpressionAttributeValues: { ":owner": owner },
  },
});

/** Part of a transaction: whoever works on the execution hears that it is cancelled. */
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

/** Takes up an execution that nobody works on; undefined when somebody does, or it is settled. */
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

/** Says that a run is alive; undefined when it does not have the execution any more, or it is cancelled. */
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

/** A run gives the execution back to the queue. */
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

/** Takes an execution from a run that vanished, or whose message was lost, to put it on the queue again. */
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

/** OPEN#shard / EXEC#id: who has this execution? Undefined when it is settled. */
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

/** OPEN#…: every execution that is not settled. */
export async function* listOpen(db: Database): AsyncGenerator<OpenExecution> {
  for (const list of openExecutionsLists) yield* listAll(db, OpenExecution, list);
}

/** Forgets an execution whose agent is gone. */
export const forgetOpen = async (db: Database, executionId: string): Promise<void> => {
  await db.client.send(
    new DeleteCommand({ TableName: db.table, Key: openExecutionKey(executionId) }),
  );
};
