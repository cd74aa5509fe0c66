import * as z from "zod";
import { ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getNamedItems } from "../../platform/db/get-items.ts";
import { agentKey } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { deleteItem, putItem } from "../../platform/db/write-item.ts";
import { AgentItem } from "../agent/store.ts";
import { schedulesKey } from "./keys.ts";

/** Names of the schedules that an agent may have; `token` changes with every write. */
const ScheduleNames = z.object({ names: z.array(z.string()), token: z.string() });
export type ScheduleNames = z.output<typeof ScheduleNames>;

/**
 * TENANT#t / AGENT#a with TENANT#t / SCHEDULES#a: reads the deployed revision and the names of its schedules.
 */
export const getScheduled = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
): Promise<{ agent: AgentItem | undefined; kept: ScheduleNames | undefined }> => {
  const { agent, kept } = await getNamedItems(db, {
    agent: agentKey(tenantId, agentId),
    kept: schedulesKey(tenantId, agentId),
  });
  return {
    agent: agent && AgentItem.parse(agent),
    kept: kept && ScheduleNames.parse(kept),
  };
};

/**
 * Replaces the names that were read; deletes the item when there are none. Returns "changed" when they were
 * written meanwhile.
 */
export const putScheduleNames = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  { read, names, token }: { read: string | undefined; names: readonly string[]; token: string },
): Promise<"written" | "changed"> => {
  const Key = schedulesKey(tenantId, agentId);
  const condition =
    read === undefined
      ? ifNew
      : {
          ConditionExpression: "#token = :read",
          ExpressionAttributeNames: { "#token": "token" },
          ExpressionAttributeValues: { ":read": read },
        };
  const { written } =
    names.length === 0
      ? await deleteItem(db, { Key, ...condition })
      : await putItem(db, { Item: { ...Key, names, token }, ...condition });
  return written ? "written" : "changed";
};
