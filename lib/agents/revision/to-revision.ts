import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Revision, RevisionContent } from "./schemas.ts";

/** Where a revision stands. */
export type RevisionPlace = { tenantId: TenantId; agentId: string; agentRevision: number };

/** A revision as the API shows it: its connectors and job policies say whose they are, whatever was sent. */
export const toRevision = (
  { tenantId, agentId, agentRevision }: RevisionPlace,
  content: RevisionContent,
): Revision => ({
  agentId,
  agentRevision,
  ...content,
  connectors: content.connectors.map((each) => ({ ...each, agentId, agentRevision })),
  jobPolicyConfigs: content.jobPolicyConfigs.map((each) => ({
    ...each,
    tenantId,
    agentId,
    agentRevision,
  })),
});
