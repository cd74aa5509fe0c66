import * as z from "zod";
import { ifExists, ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { getItems } from "../../platform/db/get-items.ts";
import { agentKey, listed } from "../../platform/db/keys.ts";
import { listAll, listPage } from "../../platform/db/list-page.ts";
import { patchItem } from "../../platform/db/patch-item.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { transact } from "../../platform/db/transact.ts";
import { replaceByTombstone } from "../../platform/deletion/tombstone.ts";
import type { PageRequest } from "../../platform/http/paging.ts";
import { countersOfFirstOwner, putFirstOwner } from "../../tenancy/collaborator/first-owner.ts";
import type { CollaboratorItem } from "../../tenancy/collaborator/schemas.ts";
import { BudgetItem } from "./budget.ts";
import { agentsList, deletedAgentKey } from "./keys.ts";
import { OnlineEvaluationItem } from "./online-evaluation.ts";
import { Agent } from "./schemas.ts";
import { agentTombstones } from "./tombstone.ts";

/** Stored representation of an agent. */
export const AgentItem = Agent.extend({
  /** Sub-agents of the deployed revision. */
  deployedSubAgents: z.array(z.string()),
  /** Ids of the deployed agents that use this agent as a sub-agent. */
  usedBy: z.set(z.string()).default(new Set()),
  /** Whether a revision with job policies was ever deployed, so that schedules may exist. */
  isScheduled: z.boolean().default(false),
  /** Monthly budget; null for no limit. */
  budget: BudgetItem.nullable().default(null),
  /** Selects the executions to score in the background; null for none. */
  onlineEvaluation: OnlineEvaluationItem.nullable().default(null),
});
export type AgentItem = z.output<typeof AgentItem>;

/** TENANT#t / AGENT#id: reads an agent. */
export const getAgent = (
  db: Database,
  tenantId: TenantId,
  agentId: string,
): Promise<AgentItem | undefined> => getItem(db, agentKey(tenantId, agentId), AgentItem);

/** TENANT#t / AGENT#id: reads several agents; leaves out those that do not exist. */
export const getAgents = async (
  db: Database,
  tenantId: TenantId,
  agentIds: readonly string[],
): Promise<AgentItem[]> => {
  const keys = agentIds.map((agentId) => agentKey(tenantId, agentId));
  return (await getItems(db, keys, AgentItem)).filter((agent) => agent !== undefined);
};

/** TENANT#t / AGENT#…: lists the tenant's agents by id. */
export const listAgents = (db: Database, tenantId: TenantId, page: PageRequest) =>
  listPage(db, AgentItem, { list: agentsList(tenantId) }, page);

/** TENANT#t / AGENT#…: lists all of the tenant's agents. */
export const listAllAgents = (db: Database, tenantId: TenantId): AsyncGenerator<AgentItem> =>
  listAll(db, AgentItem, agentsList(tenantId));

/** Writes a new agent, with its first Owner if given. Returns "taken" or "purging" when the id is not free. */
export const putNewAgent = async (
  db: Database,
  tenantId: TenantId,
  agent: Agent,
  owner: CollaboratorItem | undefined,
): Promise<"written" | "taken" | "purging"> => {
  const outcome = await transact(db, [
    {
      Put: {
        Item: {
          ...listed(agentKey(tenantId, agent.id)),
          ...agent,
          deployedSubAgents: [],
          ...(owner && countersOfFirstOwner),
        },
        ...ifNew,
      },
    },
    {
      ConditionCheck: {
        Key: deletedAgentKey(tenantId, agent.id),
        ...ifNew,
      },
    },
    ...(owner ? [putFirstOwner(tenantId, owner)] : []),
  ]);
  if (outcome.written) return "written";
  return outcome.failed[0] ? "taken" : "purging";
};

/** Members of an agent that a caller may change; undefined members are kept. */
export type AgentChange = Partial<Pick<Agent, "displayName" | "description" | "avatarFileId">>;

/** Changes an agent and returns it; undefined when it does not exist. */
export const updateAgent = (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  change: AgentChange & { modifiedAt: number },
): Promise<AgentItem | undefined> =>
  patchItem(db, agentKey(tenantId, agentId), AgentItem, { set: change });

/**
 * Replaces an agent with a tombstone and removes it from the `usedBy` of its sub-agents. Returns "changed"
 * when it was deployed, or used by another agent, since it was read.
 */
export const replaceWithTombstone = (
  db: Database,
  tenantId: TenantId,
  { id, isScheduled, deployedSubAgents }: AgentItem,
): Promise<"written" | "changed"> =>
  replaceByTombstone(
    db,
    agentTombstones,
    { tenantId, agentId: id },
    {
      tombstone: { agentId: id, isScheduled },
      writes: [
        {
          Delete: {
            Key: agentKey(tenantId, id),
            ConditionExpression: `attribute_exists(pk) AND attribute_not_exists(usedBy) AND deployedSubAgents = :subAgents${
              isScheduled ? "" : " AND attribute_not_exists(isScheduled)"
            }`,
            ExpressionAttributeValues: { ":subAgents": deployedSubAgents },
          },
        },
        ...deployedSubAgents.map((subAgent) => dropUser(tenantId, subAgent, id)),
      ],
    },
  );

/** Builds the write that removes `userId` from the users of `agentId`. */
export const dropUser = (tenantId: TenantId, agentId: string, userId: string) => ({
  Update: {
    Key: agentKey(tenantId, agentId),
    UpdateExpression: "DELETE usedBy :user",
    ...ifExists,
    ExpressionAttributeValues: { ":user": new Set([userId]) },
  },
});

/** Builds the write that adds `userId` to the users of `agentId`, which must exist. */
export const addUser = (tenantId: TenantId, agentId: string, userId: string) => ({
  Update: {
    Key: agentKey(tenantId, agentId),
    UpdateExpression: "ADD usedBy :user",
    ...ifExists,
    ExpressionAttributeValues: { ":user": new Set([userId]) },
  },
});
