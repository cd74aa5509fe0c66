import * as z from "zod";
import type { PurgeAgentMessage } from "../../agents/messages.ts";
import type { Database } from "../../platform/db/database.ts";
import { deleteTogether } from "../../platform/db/delete-together.ts";
import type { ListKey } from "../../platform/db/keys.ts";
import { listAll } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { inTurns } from "../../platform/deletion/in-turns.ts";
import {
  deleteItems,
  type PurgeStep,
  type PurgeStorage,
  purgeItems,
  purgeObjects,
} from "../../platform/deletion/purge.ts";
import { purgedItem } from "../../platform/deletion/purged-item.ts";
import type { PurgeRef } from "../../platform/deletion/tombstone.ts";
import { listPendingApprovals } from "../approvals/approval-store.ts";
import { cancelApprovals } from "../approvals/cancel-approvals.ts";
import {
  type ExecutionKey,
  eventWaitKey,
  executionChildrenList,
  executionItemsLists,
  executionPartsLists,
  executionsLists,
} from "../record/keys.ts";
import { executionObjects, type Storage } from "../record/values.ts";

/** An item of an execution: its record, a value that is not in the record, or a checkpoint. */
const Item = purgedItem(["input", "draft", "result", "trace", "value", "steps"], {
  /** The wait that the item is, if it is one for an event of a webhook. */
  webhookId: z.string().optional(),
  path: z.string().optional(),
});
type Item = z.output<typeof Item>;

const listObjects = ({ objects }: Item) => objects;

async function* listItems(db: Database, lists: readonly ListKey[]): AsyncGenerator<Item> {
  for (const list of lists) yield* listAll(db, Item, list);
}

/**
 * Returns the steps that delete an agent's executions: first the records, after their steps, then
 * their values. Their approvals stay, as cancelled ones.
 */
export const purgeExecutions = ({
  tenantId,
  agentId,
}: PurgeRef<PurgeAgentMessage>): readonly PurgeStep[] => [
  cancelAllApprovals({ tenantId, agentId }),
  purgeItems({
    list: (db) => listItems(db, executionsLists(tenantId, agentId)),
    objects: listObjects,
    before: (records, storage) => inTurns(records, ({ sk }) => deleteSteps(storage, tenantId, sk)),
  }),
  purgeItems({
    list: (db) => listItems(db, executionPartsLists(tenantId, agentId)),
    objects: listObjects,
  }),
  // Also values that were stored for a record which was never written.
  ...executionObjects(tenantId, agentId).map(purgeObjects),
];

/** Cancels the pending approvals of an agent's executions, and of those of their sub-agents. */
const cancelAllApprovals =
  ({ tenantId, agentId }: PurgeRef<PurgeAgentMessage>): PurgeStep =>
  async ({ db, clock, isTimeOver }) => {
    for await (const { id, root, ...approval } of listPendingApprovals(db, tenantId)) {
      if (isTimeOver()) return "more";
      if (![approval.agentId, root.agentId].includes(agentId)) continue;
      await cancelApprovals({ db }, { tenantId, approvalIds: [id], now: clock() });
    }
    return "done";
  };

/** TENANT#t#EXEC#id: deletes the steps of an execution and its pointers to those of its sub-agents. */
const deleteSteps = async (
  storage: PurgeStorage,
  tenantId: TenantId,
  recordKey: string,
): Promise<void> => {
  const executionId = recordKey.slice("EXEC#".length);
  const list = executionChildrenList(tenantId, executionId);
  const steps = await Array.fromAsync(listItems(storage.db, [list]));
  await deleteItems(storage, {
    items: steps,
    objects: listObjects,
    before: removeEventWaits(tenantId, executionId),
  });
};

/** Removes the registrations of waits for events, which are in the partitions of their webhooks. */
const removeEventWaits =
  (tenantId: TenantId, executionId: string) =>
  async (items: readonly Item[], { db }: Pick<Storage, "db">): Promise<void> => {
    const waits = items.flatMap(({ webhookId, path }) =>
      webhookId === undefined || path === undefined ? [] : [{ webhookId, executionId, path }],
    );
    await deleteTogether(
      db,
      waits.map((wait) => eventWaitKey(tenantId, wait.webhookId, wait)),
    );
  };

/**
 * Deletes all items of an execution after its agent was deleted, because the purge may have ended
 * before they were written.
 */
export const removeExecution = async (storage: PurgeStorage, key: ExecutionKey): Promise<void> => {
  const { tenantId, executionId } = key;
  const lists = [executionChildrenList(tenantId, executionId), ...executionItemsLists(key)];
  const items = await Array.fromAsync(listItems(storage.db, lists));
  await deleteItems(storage, {
    items,
    objects: listObjects,
    before: removeEventWaits(tenantId, executionId),
  });
};
