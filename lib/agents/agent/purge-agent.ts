import { executionObjects } from "../../executions/parts.ts";
import { deleteAssetOfAgent } from "../../knowledge/asset/store.ts";
import type { Database } from "../../platform/db/database.ts";
import { deleteTogether } from "../../platform/db/delete-together.ts";
import type { PurgedObjects } from "../../platform/db/large-value.ts";
import { purgeList } from "../../platform/db/purge-list.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { spendShardKeys } from "../../spending/budget/keys.ts";
import { toMonth } from "../../spending/budget/month.ts";
import { tombstoneUsage } from "../../spending/usage/store.ts";
import {
  type AgentChild,
  listAgentChildren,
  listExecutionChildren,
  listExecutionParts,
  parseExecutionId,
} from "./purge-store.ts";
import { requestPurge } from "./request-purge.ts";
import { freeAgentId, isBeingPurged } from "./store.ts";

const atOnce = 10;

/** Deletes records that another area keeps for an agent; "more" when time ran out. */
export type PurgeOfAgent = (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  isTimeOver: () => boolean,
) => Promise<"done" | "more">;

/**
 * Deletes all records of a deleted agent but its usage by day, `dependents` first, then frees its id. Does nothing for an existing
 * agent. Idempotent; work that does not fit in the time is queued again.
 * @param until when to stop, Unix milliseconds
 */
export const purgeAgent = async (
  tenantId: TenantId,
  agentId: string,
  deps: {
    db: Database;
    objects: PurgedObjects;
    send: Send;
    clock: Clock;
    until: number;
    dependents: readonly PurgeOfAgent[];
  },
): Promise<void> => {
  const { db } = deps;
  if (!(await isBeingPurged(db, tenantId, agentId))) return;
  const isTimeOver = () => deps.clock() >= deps.until;
  for (const purgeDependents of deps.dependents) {
    const left = await purgeDependents(db, tenantId, agentId, isTimeOver);
    if (left === "more") return requestPurge(deps.send, tenantId, agentId);
  }
  const rest = await purgeList(
    listAgentChildren(db, tenantId, agentId),
    (children) => purgeChildren(tenantId, agentId, children, deps),
    { isTimeOver },
  );
  if (rest === "more") return requestPurge(deps.send, tenantId, agentId);
  const parts = await purgeList(
    listExecutionParts(db, tenantId, agentId),
    (items) => purgeItems(items, deps),
    { isTimeOver },
  );
  if (parts === "more") return requestPurge(deps.send, tenantId, agentId);
  // Also values that were stored for a record which was never written.
  await deps.objects.removeUnder(executionObjects(tenantId, agentId));
  // A new agent of this id cannot be older than this day, and nothing is counted for the deleted one any more.
  await deleteTogether(db, spendShardKeys(tenantId, agentId, toMonth(deps.clock())));
  await tombstoneUsage(db, tenantId, agentId, deps.clock());
  await freeAgentId(db, tenantId, agentId);
};

/**
 * Deletes executions and assets before the items that reference them, so that an interrupted purge finds them
 * again. Keeps an asset that another agent has referenced since.
 */
const purgeChildren = async (
  tenantId: TenantId,
  agentId: string,
  children: readonly AgentChild[],
  { db, objects }: { db: Database; objects: PurgedObjects },
): Promise<void> => {
  await inTurns(
    children.flatMap((child) => parseExecutionId(child) ?? []),
    async (id) => {
      const items = await Array.fromAsync(listExecutionChildren(db, tenantId, id));
      await purgeItems(items, { db, objects });
    },
  );
  await inTurns(
    children.flatMap(({ assetId }) => assetId ?? []),
    (assetId) => deleteAssetOfAgent(db, tenantId, agentId, assetId),
  );
  await purgeItems(children, { db, objects });
};

const purgeItems = async (
  items: readonly AgentChild[],
  { db, objects }: { db: Database; objects: PurgedObjects },
): Promise<void> => {
  await objects.remove(items.flatMap((item) => item.objects));
  await deleteTogether(db, items);
};

const inTurns = async (
  ids: readonly string[],
  remove: (id: string) => Promise<void>,
): Promise<void> => {
  for (let start = 0; start < ids.length; start += atOnce) {
    await Promise.all(ids.slice(start, start + atOnce).map(remove));
  }
};
