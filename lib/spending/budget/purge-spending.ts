import type { PurgeAgentMessage } from "../../agents/messages.ts";
import { deleteTogether } from "../../platform/db/delete-together.ts";
import { toMonth } from "../../platform/db/keys.ts";
import type { PurgeStep } from "../../platform/deletion/purge.ts";
import type { PurgeRef } from "../../platform/deletion/tombstone.ts";
import { tombstoneUsage } from "../usage/store.ts";
import { spendShardKeys } from "./keys.ts";

/**
 * Deletes an agent's spending of this month, and keeps its usage by day from being counted for a new agent of its id.
 * Comes after its executions: a new agent cannot be older than this day, and nothing is counted for the deleted one then.
 */
export const purgeSpending =
  ({ tenantId, agentId }: PurgeRef<PurgeAgentMessage>): PurgeStep =>
  async ({ db, clock }) => {
    await deleteTogether(db, spendShardKeys(tenantId, agentId, toMonth(clock())));
    await tombstoneUsage(db, tenantId, agentId, clock());
    return "done";
  };
