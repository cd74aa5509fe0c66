import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { getMany } from "../../platform/db/get-together.ts";
import { collaboratorKey } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { CollaboratorRole } from "./role.ts";

/** The part of a collaborator that a request needs. In every function, so it is kept apart and small. */
const HeldRole = z.object({
  agentId: z.string(),
  userId: z.string(),
  role: CollaboratorRole,
  status: z.int(),
});
export type HeldRole = z.output<typeof HeldRole>;

/** Whose role at which agent. */
export type RoleHolder = { tenantId: TenantId; agentId: string; userId: string };

/** TENANT#t#AGENT#a / COLLAB#user: which roles do these users hold at these agents? */
export const getHeldRoles = async (
  db: Database,
  tenantId: TenantId,
  agentIds: readonly string[],
  userIds: readonly string[],
): Promise<HeldRole[]> => {
  const [agentId, userId] = [agentIds[0], userIds[0]];
  if (agentId === undefined || userId === undefined) return [];
  if (agentIds.length === 1 && userIds.length === 1) {
    const held = await getHeldRole(db, { tenantId, agentId, userId });
    return held ? [held] : [];
  }
  const keys = agentIds.flatMap((agent) =>
    userIds.map((user) => collaboratorKey(tenantId, agent, user)),
  );
  return (await getMany(db, keys)).flatMap((item) => (item ? [HeldRole.parse(item)] : []));
};

const getHeldRole = async (
  db: Database,
  { tenantId, agentId, userId }: RoleHolder,
): Promise<HeldRole | undefined> => {
  const { Item } = await db.client.send(
    new GetCommand({
      TableName: db.table,
      Key: collaboratorKey(tenantId, agentId, userId),
      ProjectionExpression: "agentId, userId, #role, #status",
      ExpressionAttributeNames: { "#role": "role", "#status": "status" },
      ConsistentRead: true,
    }),
  );
  return Item && HeldRole.parse(Item);
};

/** Notes that an invited user has come; nothing when they have been removed meanwhile. */
export const markActive = async (
  db: Database,
  { tenantId, agentId, userId }: RoleHolder,
  active: number,
): Promise<void> => {
  try {
    await db.client.send(
      new UpdateCommand({
        TableName: db.table,
        Key: collaboratorKey(tenantId, agentId, userId),
        UpdateExpression: "SET #status = :active",
        ConditionExpression: "attribute_exists(pk)",
        ExpressionAttributeNames: { "#status": "status" },
        ExpressionAttributeValues: { ":active": active },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
};
