import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { getItems } from "../../platform/db/get-items.ts";
import { agentKey } from "../../platform/db/keys.ts";
import { patch } from "../../platform/db/patch-item.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { updateItem } from "../../platform/db/write-item.ts";
import { collaboratorKey } from "./keys.ts";
import { CollaboratorRole } from "./role.ts";

/** The members of a collaborator that authorization reads; small, since every function bundles them. */
const HeldRole = z.object({
  agentId: z.string(),
  userId: z.string(),
  role: CollaboratorRole,
  status: z.int(),
});
export type HeldRole = z.output<typeof HeldRole>;

/** A user and an agent. */
export type RoleHolder = { tenantId: TenantId; agentId: string; userId: string };

/** TENANT#t#AGENT#a / COLLAB#user: reads the roles of users at agents. */
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
  return (await getItems(db, keys, HeldRole)).filter((held) => held !== undefined);
};

/**
 * AGENT#a with COLLAB#user…: reads an agent, unparsed, and the roles of users at it, in one call; `agent` is undefined
 * when it does not exist.
 */
export const getAgentAndRoles = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  userIds: readonly string[],
): Promise<{ agent: unknown; held: HeldRole[] }> => {
  if (userIds.length === 0) {
    const agent = await getItem(db, agentKey(tenantId, agentId), z.looseObject({}));
    return { agent, held: [] };
  }
  const users = userIds.map((userId) => collaboratorKey(tenantId, agentId, userId));
  const keys = [agentKey(tenantId, agentId), ...users];
  const [agent, ...held] = await getItems(db, keys, z.looseObject({}));
  return { agent, held: held.flatMap((item) => (item ? [HeldRole.parse(item)] : [])) };
};

const getHeldRole = (
  db: Database,
  { tenantId, agentId, userId }: RoleHolder,
): Promise<HeldRole | undefined> =>
  getItem(db, collaboratorKey(tenantId, agentId, userId), HeldRole, [
    "agentId",
    "userId",
    "role",
    "status",
  ]);

/** Marks an invited collaborator as active; no effect when they were removed. */
export const markActive = async (
  db: Database,
  { tenantId, agentId, userId }: RoleHolder,
  active: number,
): Promise<void> => {
  const key = collaboratorKey(tenantId, agentId, userId);
  await updateItem(db, patch(key, { set: { status: active } }));
};
