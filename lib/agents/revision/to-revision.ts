import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { RevisionContent } from "./content.ts";
import type { Revision } from "./schemas.ts";

/** The tenant, agent and number of a revision. */
export type RevisionKey = { tenantId: TenantId; agentId: string; agentRevision: number };

/** Maps a revision to its public representation; sets the owner of its connectors and job policies. */
export const toRevision = (
  { tenantId, agentId, agentRevision }: RevisionKey,
  content: RevisionContent,
): Revision => ({
  agentId,
  agentRevision,
  ...content,
  subAgents: content.subAgents.map(({ completed: _, ...subAgent }) => subAgent),
  connectors: content.connectors.map((connector) => ({ ...connector, agentId, agentRevision })),
  jobPolicyConfigs: content.jobPolicyConfigs.map((jobPolicyConfig) => ({
    ...jobPolicyConfig,
    tenantId,
    agentId,
    agentRevision,
  })),
});
