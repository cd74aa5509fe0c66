import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import {
  DeleteCommand,
  type DeleteCommandInput,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { Database } from "./database.ts";
import { sendTransaction } from "./send-transaction.ts";
import type { TransactionWrite } from "./transaction-write.ts";

type Item = Record<string, unknown>;

/**
 * Outcome of a write. `item`: after an update with `ReturnValues`, the attributes that it requested; after a failed
 * condition, the item as it is, undefined when it does not exist.
 */
export type WriteOutcome = { written: boolean; item: Item | undefined };

type ItemUpdate = Omit<UpdateCommandInput, "TableName"> & { UpdateExpression: string };

/** Writes a whole item. A failed condition is an outcome, not an error. */
export const putItem = (
  db: Database,
  put: Omit<PutCommandInput, "TableName" | "ReturnValues">,
): Promise<WriteOutcome> =>
  db.companions?.build
    ? writeWithCompanions(db, { Put: put })
    : toWriteOutcome(db.client.send(new PutCommand({ ...put, TableName: db.table })));

/** Updates an item. A failed condition is an outcome, not an error. */
export const updateItem = async (db: Database, update: ItemUpdate): Promise<WriteOutcome> => {
  if (!db.companions?.build) {
    return toWriteOutcome(db.client.send(new UpdateCommand({ ...update, TableName: db.table })));
  }
  const { ReturnValues, ...write } = update;
  if (ReturnValues !== undefined && ReturnValues !== "ALL_NEW") {
    throw new Error(`${ReturnValues} is not available with companion writes`);
  }
  const outcome = await writeWithCompanions(db, { Update: write });
  if (!outcome.written || ReturnValues === undefined) return outcome;
  // A transaction returns no attributes. The item may have changed again since.
  const read = new GetCommand({ TableName: db.table, Key: write.Key, ConsistentRead: true });
  return { written: true, item: (await db.client.send(read)).Item };
};

/** Deletes an item, if it exists. A failed condition is an outcome, not an error. */
export const deleteItem = (
  db: Database,
  deletion: Omit<DeleteCommandInput, "TableName" | "ReturnValues">,
): Promise<WriteOutcome> =>
  db.companions?.build
    ? writeWithCompanions(db, { Delete: deletion })
    : toWriteOutcome(db.client.send(new DeleteCommand({ ...deletion, TableName: db.table })));

const toWriteOutcome = async (sent: Promise<{ Attributes?: Item }>): Promise<WriteOutcome> => {
  try {
    return { written: true, item: (await sent).Attributes };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { written: false, item: error.Item && unmarshall(error.Item) };
  }
};

const writeWithCompanions = async (
  db: Database,
  { Put, Update, Delete }: TransactionWrite,
): Promise<WriteOutcome> => {
  const ReturnValuesOnConditionCheckFailure = "ALL_OLD";
  const outcome = await sendTransaction(db, [
    {
      ...(Put && { Put: { ...Put, ReturnValuesOnConditionCheckFailure } }),
      ...(Update && { Update: { ...Update, ReturnValuesOnConditionCheckFailure } }),
      ...(Delete && { Delete: { ...Delete, ReturnValuesOnConditionCheckFailure } }),
    },
  ]);
  return outcome.written
    ? { written: true, item: undefined }
    : { written: false, item: outcome.failures[0]?.item };
};
