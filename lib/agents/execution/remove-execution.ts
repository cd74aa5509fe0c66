import { deleteTogether } from "../../platform/db/delete-together.ts";
import { listExecution } from "../agent/purge-store.ts";
import type { ExecutionPlace, Storage } from "./parts.ts";

/** Deletes all that is stored of an execution whose agent was deleted: the purge may have ended before it was written. */
export const removeExecution = async (
  { db, objects }: Storage,
  { tenantId, agentId, executionId }: ExecutionPlace,
): Promise<void> => {
  const items = await Array.fromAsync(listExecution(db, tenantId, agentId, executionId));
  await objects.remove(items.flatMap((item) => item.objects));
  await deleteTogether(db, items);
};
