import { isDeepStrictEqual } from "node:util";
import type { Database } from "../../platform/db/database.ts";
import { type ObjectStore, unpackValue } from "../../platform/db/large-value.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { hasScope } from "../../tenancy/collaborator/may.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import type { ParameterDescriptor } from "../../values/json/parameters.ts";
import type { AgentItem } from "../agent/store.ts";
import {
  type CompletedMember,
  completedMembers,
  RevisionContent,
  type StoredSubAgent,
  type SubAgentTool,
} from "./content.ts";
import { getRevisionContent } from "./store.ts";

type Deps = { db: Database; objects: ObjectStore };

/** Values of an agent that complete a sub-agent's descriptor. */
type AgentValues = Pick<SubAgentTool, CompletedMember>;

/**
 * Completes the sub-agents of a new revision from their agents: the deployed revision, else the latest. A sent value
 * stays, unless it is what an earlier completion returned. Members that were completed follow the agent when the
 * revision runs. For a caller who may not read agents and revisions they stay as they were sent.
 */
export const completeSubAgents = async (
  deps: Deps,
  {
    ctx: { principal, tenant },
    agentId,
    subAgents,
    known,
  }: {
    ctx: Pick<TenantContext, "principal" | "tenant">;
    agentId: string;
    subAgents: readonly SubAgentTool[];
    known: readonly AgentItem[];
  },
): Promise<StoredSubAgent[]> => {
  if (subAgents.length === 0) return [];
  const mayRead = hasScope(principal, "agents:read") && hasScope(principal, "revisions:read");
  if (!mayRead) return subAgents.map((sent) => ({ ...sent, completed: [] }));
  const tenantId = tenant.id;
  const before = await completedBefore(
    deps,
    tenantId,
    known.find(({ id }) => id === agentId),
  );
  const agents = new Map(known.map((agent) => [agent.id, agent]));
  const values = new Map<string, AgentValues>();
  let left = maxDescriptorBytes;
  const completed: StoredSubAgent[] = [];
  for (const sent of subAgents) {
    const agent = agents.get(sent.agentId);
    const own =
      values.get(sent.agentId) ?? (agent && (await loadAgentValues(deps, tenantId, agent)));
    if (own) values.set(sent.agentId, own);
    const all = complete(sent, own, before.get(sent.id));
    left -= Buffer.byteLength(JSON.stringify(all.parametersMetadata));
    completed.push(left < 0 ? complete(sent, own && { ...own, parametersMetadata: [] }) : all);
  }
  return completed;
};

/** Bytes of parameters that completion may add to a revision, which must fit in a response. */
const maxDescriptorBytes = 1024 * 1024;

/** Returns the sub-agents of the latest revision with what was completed in them, by id. */
const completedBefore = async (
  deps: Deps,
  tenantId: TenantId,
  agent: AgentItem | undefined,
): Promise<ReadonlyMap<string, StoredSubAgent>> => {
  const content = agent?.latestRevision
    ? await readContent(deps, tenantId, agent.id, agent.latestRevision)
    : undefined;
  return new Map(content?.subAgents.map((subAgent) => [subAgent.id, subAgent]));
};

const readContent = async (
  { db, objects }: Deps,
  tenantId: TenantId,
  agentId: string,
  revision: number,
): Promise<RevisionContent | undefined> => {
  const item = await getRevisionContent(db, tenantId, agentId, revision);
  return item && RevisionContent.parse(await unpackValue(item.content, objects));
};

const loadAgentValues = async (
  deps: Deps,
  tenantId: TenantId,
  { id, displayName, description, avatarFileId, deployedRevision, latestRevision }: AgentItem,
): Promise<AgentValues> => {
  const revision = deployedRevision ?? latestRevision;
  const content = revision === null ? undefined : await readContent(deps, tenantId, id, revision);
  return {
    slug: id,
    integrationId: "sub_agent",
    displayName,
    description,
    toolType: "SubAgent",
    actionType: "ReadWrite",
    resultType: "Json",
    parametersMetadata: (content?.parametersMetadata ?? []).map(withoutSecret),
    useSession: content?.useSession ?? false,
    avatarFileId,
  };
};

const withoutSecret = (descriptor: ParameterDescriptor): ParameterDescriptor =>
  descriptor.secret ? { ...descriptor, defaultValue: null } : descriptor;

const complete = (
  sent: SubAgentTool,
  own: AgentValues | undefined,
  before?: StoredSubAgent,
): StoredSubAgent => {
  if (!own) return { ...sent, completed: [] };
  const last = before?.agentId === sent.agentId ? before : undefined;
  const completed = completedMembers.filter(
    (name) =>
      isUnset(sent[name]) ||
      isDeepStrictEqual(sent[name], own[name]) ||
      (last?.completed.includes(name) === true && isDeepStrictEqual(sent[name], last[name])),
  );
  const values = Object.fromEntries(completed.map((name) => [name, own[name]]));
  return { ...sent, ...values, completed };
};

const isUnset = (value: unknown): boolean =>
  value === null || value === false || (Array.isArray(value) && value.length === 0);

/** Returns a sub-agent as it was sent: what was completed is read from the agent when it is called. */
export const withoutCompleted = ({ completed, ...subAgent }: StoredSubAgent): SubAgentTool => ({
  ...subAgent,
  ...(completed.includes("displayName") && { displayName: null }),
  ...(completed.includes("description") && { description: null }),
  ...(completed.includes("parametersMetadata") && { parametersMetadata: [] }),
});
