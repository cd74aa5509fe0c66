import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import type { Database } from "../db/database.ts";
import { collaboratorKey } from "../db/keys.ts";
import type { TenantId } from "../tenant/tenant-id.ts";
import { CollaboratorRole } from "./role.ts";

/** All that a request needs to know of a collaborator. In every function, so it is kept apart and small. */
const HeldRole = z.object({ role: CollaboratorRole, status: z.int() });

/** Whose role at which agent. */
export type RoleHolder = { tenantId: TenantId; agentId: string; userId: string };

/** TENANT#t#AGENT#a / COLLAB#user: what is this user at this agent? */
export const getHeldRole = async (
  db: Database,
  { tenantId, agentId, userId }: RoleHolder,
): Promise<z.output<typeof HeldRole> | undefined> => {
  const { Item } = await db.client.send(
    new GetCommand({
      TableName: db.table,
      Key: collaboratorKey(tenantId, agentId, userId),
      ProjectionExpression: "#role, #status",
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
