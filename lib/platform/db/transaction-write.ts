import type { TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";

type Write = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/** One write of a transaction, without the table's name. */
export type TransactionWrite = {
  [Kind in keyof Write]: Omit<NonNullable<Write[Kind]>, "TableName">;
};

/** Builds the writes that are stored together with these; `createdId` is an id that no item has as a member. */
export type BuildCompanions = (
  writes: readonly TransactionWrite[],
  createdId: string | undefined,
) => readonly TransactionWrite[];

/** The companions of a handle on the table until a write has stored them; undefined afterwards. */
export type Companions = { build: BuildCompanions | undefined; createdId?: string };
