import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Database } from "../../platform/db/database.ts";
import { listed, skillKey, skillsList } from "../../platform/db/keys.ts";
import { listPage } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Page, PageRequest } from "../../platform/http/paging.ts";
import { Skill } from "./schemas.ts";

/** TENANT#t / SKILL#id: reads a skill. */
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

/** TENANT#t / SKILL#…: lists the tenant's skills by id. */
export const listSkills = (
  db: Database,
  tenantId: TenantId,
  page: PageRequest,
): Promise<Page<Skill>> => listPage(db, Skill, { list: skillsList(tenantId) }, page);

/** TENANT#t / SKILL#…: lists the tenant's first `size` skills after an id, by id. */
export const listSkillsAfter = (
  db: Database,
  tenantId: TenantId,
  skillId: string,
  size: number,
): Promise<Page<Skill>> => {
  // No id holds "!", which sorts before all that an id may go on with, nor "~", which sorts after it.
  const between = { from: skillKey(tenantId, `${skillId}!`).sk, to: skillKey(tenantId, "~").sk };
  return listPage(db, Skill, { list: skillsList(tenantId), between }, { size, skip: 0 });
};

/** Writes a new skill; returns "taken" when the id exists. */
export const putNewSkill = async (
  db: Database,
  tenantId: TenantId,
  skill: Skill,
): Promise<"written" | "taken"> => {
  const Item = { ...listed(skillKey(tenantId, skill.id)), ...skill };
  const ConditionExpression = "attribute_not_exists(pk)";
  try {
    await db.client.send(new PutCommand({ TableName: db.table, Item, ConditionExpression }));
    return "written";
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return "taken";
    throw error;
  }
};

/** Members of a skill that may change; undefined members are kept. */
export type SkillChange = Partial<Omit<Skill, "id" | "type" | "createdAt">>;

/** Changes members of a skill and returns it; undefined when it does not exist. */
export const changeSkill = async (
  db: Database,
  tenantId: TenantId,
  skillId: string,
  change: SkillChange & { modifiedAt: number },
): Promise<Skill | undefined> => {
  const members = Object.entries(change).filter(([, value]) => value !== undefined);
  const command = new UpdateCommand({
    TableName: db.table,
    Key: skillKey(tenantId, skillId),
    UpdateExpression: `SET ${members.map(([name]) => `#${name} = :${name}`).join(", ")}`,
    ConditionExpression: "attribute_exists(pk)",
    ExpressionAttributeNames: Object.fromEntries(members.map(([name]) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(
      members.map(([name, value]) => [`:${name}`, value]),
    ),
    ReturnValues: "ALL_NEW",
  });
  try {
    return Skill.parse((await db.client.send(command)).Attributes);
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
};

/** Removes a skill; returns whether it existed. */
export const removeSkill = async (
  db: Database,
  tenantId: TenantId,
  skillId: string,
): Promise<boolean> => {
  const { Attributes } = await db.client.send(
    new DeleteCommand({
      TableName: db.table,
      Key: skillKey(tenantId, skillId),
      ReturnValues: "ALL_OLD",
    }),
  );
  return Attributes !== undefined;
};
