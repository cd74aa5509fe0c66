import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Database } from "../db/database.ts";
import { skillKey } from "../db/keys.ts";
import type { TenantId } from "../tenant/tenant-id.ts";
import { Skill } from "./schemas.ts";

/** TENANT#t / SKILL#id: the skill whole. */
export const getSkill = async (
  db: Database,
  tenantId: TenantId,
  skillId: string,
): Promise<Skill | undefined> => {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.table, Key: skillKey(tenantId, skillId), ConsistentRead: true }),
  );
  return Item && Skill.parse(Item);
};
