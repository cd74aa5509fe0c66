import * as z from "zod";
import { ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { getNamedItems } from "../../platform/db/get-items.ts";
import { agentKey, listed } from "../../platform/db/keys.ts";
import { PackedValue } from "../../platform/db/large-value.ts";
import { listPage } from "../../platform/db/list-page.ts";
import { patch } from "../../platform/db/patch-item.ts";
import { SealedValue } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { transact } from "../../platform/db/transact.ts";
import type { PageRequest } from "../../platform/http/paging.ts";
import { type AgentItem, addUser, dropUser } from "../agent/store.ts";
import type { DeployedVersions, TestedVersions } from "./deployment.ts";
import { revisionContentKey, revisionKey, revisionsList } from "./keys.ts";
import { RevisionSummary } from "./schemas.ts";

/** Stored row of a revision, without its content. */
export const RevisionItem = RevisionSummary.extend({
  subAgentIds: z.array(z.string()),
  /** Whether it has job policies. */
  isScheduled: z.boolean(),
});
export type RevisionItem = z.output<typeof RevisionItem>;

/** Stored content of a revision: secrets masked, and sealed separately. */
export const RevisionContentItem = z.object({
  content: PackedValue,
  secrets: SealedValue.nullable(),
});
export type RevisionContentItem = z.output<typeof RevisionContentItem>;

/** TENANT#t#AGENT#a / REV#…: lists the agent's revisions, newest first. */
export const listRevisionsNewestFirst = (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  page: PageRequest,
) =>
  listPage(db, RevisionItem, { list: revisionsList(tenantId, agentId), newestFirst: true }, page);

/** TENANT#t#AGENT#a / REV#…: lists the agent's revisions, oldest first. */
export const listRevisionsOldestFirst = (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  page: PageRequest,
) => listPage(db, RevisionItem, { list: revisionsList(tenantId, agentId) }, page);

/** TENANT#t#AGENT#a / REV#n: reads a revision's row. */
export const getRevisionItem = (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  revision: number,
): Promise<RevisionItem | undefined> =>
  getItem(db, revisionKey(tenantId, agentId, revision), RevisionItem);

/**
 * TENANT#t / AGENT#a with TENANT#t#AGENT#a / CONTENT#n: reads the content of a revision of an existing agent.
 */
export const getRevisionContent = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  revision: number,
): Promise<RevisionContentItem | undefined> => {
  const { agent, content } = await getNamedItems(db, {
    agent: agentKey(tenantId, agentId),
    content: revisionContentKey(tenantId, agentId, revision),
  });
  return agent && content && RevisionContentItem.parse(content);
};

/**
 * Writes the agent's next revision and increments its number, in one transaction. Returns "changed" when
 * another revision was created meanwhile, or the agent was deleted.
 */
export const putNextRevision = async (
  db: Database,
  tenantId: TenantId,
  agent: AgentItem,
  { item, content }: { item: RevisionItem; content: RevisionContentItem },
): Promise<"written" | "changed"> => {
  const revision = item.agentRevision;
  const outcome = await transact(db, [
    {
      Update: patch(agentKey(tenantId, agent.id), {
        set: { latestRevision: revision, modifiedAt: item.createdAt },
        expect: { latestRevision: agent.latestRevision },
      }),
    },
    {
      Put: {
        Item: { ...listed(revisionKey(tenantId, agent.id, revision)), ...item },
        ...ifNew,
      },
    },
    {
      Put: {
        Item: { ...revisionContentKey(tenantId, agent.id, revision), ...content },
        ...ifNew,
      },
    },
  ]);
  return outcome.written ? "written" : "changed";
};

/** A deployment: the revision, who deploys it, and when (Unix milliseconds). */
export type RevisionDeployment = {
  revision: RevisionItem;
  deployedAt: number;
  deployedBy: string;
  /** Undefined to keep what was recorded before. */
  deployedWith?: DeployedVersions | undefined;
  testedWith?: TestedVersions | undefined;
};

/**
 * Deploys a revision and updates the `usedBy` of its sub-agents. Returns "changed" when the agent was
 * deployed, deleted or first scheduled since it was read; otherwise the sub-agents that do not exist.
 */
export const putDeployment = async (
  db: Database,
  tenantId: TenantId,
  agent: AgentItem,
  { revision, deployedAt, deployedBy, deployedWith, testedWith }: RevisionDeployment,
): Promise<{ outcome: "written" | "changed" } | { outcome: "missing"; subAgents: string[] }> => {
  const before = agent.deployedSubAgents;
  const after = revision.subAgentIds;
  const added = after.filter((id) => !before.includes(id));
  const dropped = before.filter((id) => !after.includes(id));
  const isScheduled = agent.isScheduled || revision.isScheduled;
  const outcome = await transact(db, [
    {
      Update: patch(agentKey(tenantId, agent.id), {
        set: {
          deployedRevision: revision.agentRevision,
          deployedSubAgents: after,
          modifiedAt: deployedAt,
          ...(isScheduled && { isScheduled }),
        },
        expect: {
          deployedSubAgents: before,
          ...(!isScheduled && { isScheduled: undefined }),
        },
      }),
    },
    {
      Update: patch(revisionKey(tenantId, agent.id, revision.agentRevision), {
        set: { deployedAt, deployedBy, deployedWith, testedWith },
      }),
    },
    ...added.map((id) => addUser(tenantId, id, agent.id)),
    ...dropped.map((id) => dropUser(tenantId, id, agent.id)),
  ]);
  if (outcome.written) return { outcome: "written" };
  const missing = added.filter((_, at) => outcome.failed[at + 2]);
  return missing.length > 0 ? { outcome: "missing", subAgents: missing } : { outcome: "changed" };
};
