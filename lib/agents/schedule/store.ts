import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { getTogether } from "../../platform/db/get-together.ts";
import { agentKey, schedulesKey } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { AgentItem } from "../agent/store.ts";

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
  const { agent, kept } = await getTogether(db, {
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
      ? { ConditionExpression: "attribute_not_exists(pk)" }
      : {
          ConditionExpression: "#token = :read",
          ExpressionAttributeNames: { "#token": "token" },
          ExpressionAttributeValues: { ":read": read },
        };
  try {
    if (names.length === 0) {
      await db.client.send(new DeleteCommand({ TableName: db.table, Key, ...condition }));
    } else {
      const Item = { ...Key, names, token };
      await db.client.send(new PutCommand({ TableName: db.table, Item, ...condition }));
    }
    return "written";
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return "changed";
    throw error;
  }
};
