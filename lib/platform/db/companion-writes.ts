import type { Database } from "./database.ts";
import type { BuildCompanions, Companions, TransactionWrite } from "./transaction-write.ts";

/**
 * Returns a handle on the table that stores further writes in the transaction of its first successful write. Inserts
 * of `insertTogether` and deletions of `deleteTogether`, which are no transactions, do not count.
 */
export const withCompanions = (
  db: Database,
  build: BuildCompanions,
): Database & { companions: Companions } => ({ ...db, companions: { build } });

/** Names what the next write through a handle creates, for its companions, where no new item has the id as a member. */
export const nameCreated = ({ companions }: Database, id: string): void => {
  if (companions) companions.createdId = id;
};

/** Returns a handle on the same table without companions, for writes before the change itself, such as its claim. */
export const withoutCompanions = ({ companions: _, ...db }: Database): Database => db;

/** Sends writes with the handle's companions; these stay with the handle unless the writes succeed. */
export const sendWithCompanions = async <Outcome extends { written: boolean }>(
  db: Database,
  writes: readonly TransactionWrite[],
  send: (all: readonly TransactionWrite[]) => Promise<Outcome>,
): Promise<Outcome> => {
  const { companions } = db;
  const build = companions?.build;
  if (!companions || !build) return send(writes);
  // A concurrent write through the same handle must not store them again.
  companions.build = undefined;
  let written = false;
  try {
    const outcome = await send([...writes, ...build(writes, companions.createdId)]);
    written = outcome.written;
    return outcome;
  } finally {
    if (!written) companions.build = build;
  }
};
