import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import {
  DeleteCommand,
  type DeleteCommandInput,
  PutCommand,
  type PutCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { Database } from "./database.ts";

type Item = Record<string, unknown>;

/**
 * Outcome of a write. `item`: after a write, the attributes that its `ReturnValues` requested; after a failed
 * condition, the item as it is, undefined when it does not exist.
 */
export type WriteOutcome = { written: boolean; item: Item | undefined };

/** Writes a whole item. A failed condition is an outcome, not an error. */
export const putItem = (
  { client, table }: Database,
  put: Omit<PutCommandInput, "TableName">,
): Promise<WriteOutcome> =>
  toWriteOutcome(client.send(new PutCommand({ ...put, TableName: table })));

/** Updates an item. A failed condition is an outcome, not an error. */
export const updateItem = (
  { client, table }: Database,
  update: Omit<UpdateCommandInput, "TableName">,
): Promise<WriteOutcome> =>
  toWriteOutcome(client.send(new UpdateCommand({ ...update, TableName: table })));

/** Deletes an item; none is no error. A failed condition is an outcome, not an error. */
export const deleteItem = (
  { client, table }: Database,
  deletion: Omit<DeleteCommandInput, "TableName">,
): Promise<WriteOutcome> =>
  toWriteOutcome(client.send(new DeleteCommand({ ...deletion, TableName: table })));

const toWriteOutcome = async (sent: Promise<{ Attributes?: Item }>): Promise<WriteOutcome> => {
  try {
    return { written: true, item: (await sent).Attributes };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { written: false, item: error.Item && unmarshall(error.Item) };
  }
};
