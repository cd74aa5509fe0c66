import { listExecution } from "../agents/agent/purge-store.ts";
import { deleteTogether } from "../platform/db/delete-together.ts";
import type { ExecutionKey } from "./keys.ts";
import type { Storage } from "./parts.ts";

/** Deletes all that is stored of an execution whose agent was deleted: the purge may have ended before it was written. */
export const removeExecution = async (
  { db, objects }: Storage,
  place: ExecutionKey,
): Promise<void> => {
  const items = await Array.fromAsync(listExecution(db, place));
  await objects.remove(items.flatMap((item) => item.objects));
  await deleteTogether(db, items);
};
