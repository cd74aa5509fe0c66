import { checkExists, ifExists, ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItems, getNamedItems } from "../../platform/db/get-items.ts";
import { agentKey } from "../../platform/db/keys.ts";
import { listAll } from "../../platform/db/list-page.ts";
import { expectMembers, patch } from "../../platform/db/patch-item.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { transact } from "../../platform/db/transact.ts";
import { collaboratorKey, collaboratorsList } from "./keys.ts";
import { CollaboratorItem } from "./schemas.ts";

/** Maximum collaborators of an agent: the list is returned whole. */
export const maxCollaborators = 200;

/** AGENT#a with COLLAB#user: reads whether an agent exists, and a collaborator. */
export const getAgentAndCollaborator = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  userId: string,
): Promise<{ agentExists: boolean; collaborator: CollaboratorItem | undefined }> => {
  const { agent, collaborator } = await getNamedItems(db, {
    agent: agentKey(tenantId, agentId),
    collaborator: collaboratorKey(tenantId, agentId, userId),
  });
  return {
    agentExists: agent !== undefined,
    collaborator: collaborator && CollaboratorItem.parse(collaborator),
  };
};

/** AGENT#a: COLLAB#address with COLLAB#user: reads an invitation, and what its user is at the agent already. */
export const getInvitation = async (
  db: Database,
  {
    tenantId,
    agentId,
    address,
    userId,
  }: { tenantId: TenantId; agentId: string; address: string; userId: string },
): Promise<{ invitation: CollaboratorItem | undefined; own: CollaboratorItem | undefined }> => {
  const keys = [address, userId].map((id) => collaboratorKey(tenantId, agentId, id));
  const [invitation, own] = await getItems(db, keys, CollaboratorItem);
  return { invitation, own };
};

/** TENANT#t#AGENT#a / COLLAB#…: lists an agent's collaborators by user id. */
export const listCollaborators = (
  db: Database,
  tenantId: TenantId,
  agentId: string,
): Promise<CollaboratorItem[]> =>
  Array.fromAsync(listAll(db, CollaboratorItem, collaboratorsList(tenantId, agentId)));

/**
 * Outcome of a change. `refused`: the agent was deleted, is full, or would lose its last Owner. `changed`: the
 * collaborator changed since it was read.
 */
export type CollaboratorOutcome = "written" | "changed" | "refused";

const toWriteOutcome = (
  outcome: { written: true } | { written: false; failed: boolean[] },
): CollaboratorOutcome => {
  if (outcome.written) return "written";
  return outcome.failed[0] ? "changed" : "refused";
};

/** Adds a collaborator, or replaces `before` but for its status, which its own user's calls change. */
export const writeCollaborator = async (
  db: Database,
  tenantId: TenantId,
  before: CollaboratorItem | undefined,
  after: CollaboratorItem,
): Promise<CollaboratorOutcome> => {
  const { status, ...rest } = after;
  const key = collaboratorKey(tenantId, after.agentId, after.userId);
  const owners = ownersIn(after) - ownersIn(before);
  return toWriteOutcome(
    await transact(db, [
      before
        ? {
            Update: patch(key, {
              set: rest,
              expect: { role: before.role, modifiedAt: before.modifiedAt },
            }),
          }
        : { Put: { Item: { ...key, ...after }, ...ifNew } },
      countOnAgent(tenantId, after.agentId, { collaborators: before ? 0 : 1, owners }),
    ]),
  );
};

/**
 * Replaces an invitation, and what its user was at the agent, by `after`. Returns false when one of them changed since it was
 * read, or the agent was deleted.
 */
export const moveInvitation = async (
  db: Database,
  tenantId: TenantId,
  {
    invitation,
    own,
    after,
  }: {
    invitation: CollaboratorItem;
    own: CollaboratorItem | undefined;
    after: CollaboratorItem;
  },
): Promise<boolean> => {
  const { agentId } = invitation;
  const key = collaboratorKey(tenantId, agentId, after.userId);
  const { userId: _, ...set } = after;
  const owners = ownersIn(after) - ownersIn(own) - ownersIn(invitation);
  const { written } = await transact(db, [
    {
      Delete: expectMembers(collaboratorKey(tenantId, agentId, invitation.userId), {
        status: invitation.status,
        role: invitation.role,
        modifiedAt: invitation.modifiedAt,
      }),
    },
    own
      ? {
          Update: patch(key, { set, expect: { role: own.role, modifiedAt: own.modifiedAt } }),
        }
      : { Put: { Item: { ...key, ...after }, ...ifNew } },
    own
      ? countOnAgent(tenantId, agentId, { collaborators: -1, owners })
      : checkExists(agentKey(tenantId, agentId)),
  ]);
  return written;
};

/** Deletes a collaborator. */
export const eraseCollaborator = async (
  db: Database,
  tenantId: TenantId,
  before: CollaboratorItem,
): Promise<CollaboratorOutcome> =>
  toWriteOutcome(
    await transact(db, [
      {
        Delete: {
          Key: collaboratorKey(tenantId, before.agentId, before.userId),
          ConditionExpression: "#role = :role",
          ExpressionAttributeNames: { "#role": "role" },
          ExpressionAttributeValues: { ":role": before.role },
        },
      },
      countOnAgent(tenantId, before.agentId, { collaborators: -1, owners: -ownersIn(before) }),
    ]),
  );

const ownersIn = (collaborator: CollaboratorItem | undefined): number =>
  collaborator?.role === "Owner" ? 1 : 0;

/** Counts collaborators and Owners on the agent's item, so that concurrent changes cannot exceed its limits. */
const countOnAgent = (
  tenantId: TenantId,
  agentId: string,
  more: { collaborators: number; owners: number },
) => {
  const Key = agentKey(tenantId, agentId);
  if (more.collaborators === 0 && more.owners === 0) {
    return { ConditionCheck: { Key, ...ifExists } };
  }
  return {
    Update: {
      Key,
      UpdateExpression: "ADD collaborators :collaborators, owners :owners",
      ConditionExpression: [
        "attribute_exists(pk)",
        ...(more.collaborators > 0
          ? ["(attribute_not_exists(collaborators) OR collaborators < :most)"]
          : []),
        ...(more.owners < 0 ? ["owners > :one"] : []),
      ].join(" AND "),
      ExpressionAttributeValues: {
        ":collaborators": more.collaborators,
        ":owners": more.owners,
        ...(more.collaborators > 0 && { ":most": maxCollaborators }),
        ...(more.owners < 0 && { ":one": 1 }),
      },
    },
  };
};
