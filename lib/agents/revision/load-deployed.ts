import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type AgentItem, getAgent } from "../agent/store.ts";
import type { LoadedRevision, revisionLoader } from "./load-revision.ts";

/** An agent with the revision to run. */
export type Deployed = { agent: AgentItem; agentRevision: number; revision: LoadedRevision };

/** The resource without which an agent cannot run. */
export type Missing =
  | { missing: "agent" | "deployment" }
  | { missing: "revision"; agentRevision: number };

/**
 * Loads an agent with its deployed revision.
 * @param input `requested`: a revision to load instead of the deployed one
 */
export const loadDeployed = async (
  { db, loadRevision }: { db: Database; loadRevision: ReturnType<typeof revisionLoader> },
  {
    tenantId,
    agentId,
    requested,
  }: { tenantId: TenantId; agentId: string; requested?: number | undefined },
): Promise<Deployed | Missing> =>
  loadDeployedForAgent(
    { loadRevision },
    tenantId,
    await getAgent(db, tenantId, agentId),
    requested,
  );

/** Loads the deployed, or the requested, revision of an agent that was read; undefined: it does not exist. */
export const loadDeployedForAgent = async (
  { loadRevision }: { loadRevision: ReturnType<typeof revisionLoader> },
  tenantId: TenantId,
  agent: AgentItem | undefined,
  requested?: number,
): Promise<Deployed | Missing> => {
  if (!agent) return { missing: "agent" };
  const agentRevision = requested ?? agent.deployedRevision;
  if (agentRevision === null) return { missing: "deployment" };
  const revision = await loadRevision(tenantId, agent, agentRevision);
  return revision ? { agent, agentRevision, revision } : { missing: "revision", agentRevision };
};

/** Reasons for which an agent cannot run, as a trigger reports them. */
export const missingDetails: Record<Missing["missing"], string> = {
  agent: "The agent does not exist any more.",
  deployment: "The agent is not deployed.",
  revision: "The agent's revision does not exist any more.",
};
