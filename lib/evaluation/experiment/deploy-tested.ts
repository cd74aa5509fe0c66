import type { AgentItem } from "../../agents/agent/store.ts";
import { deployRevision } from "../../agents/revision/deploy-revision.ts";
import type { DeployRevisionBody } from "../../agents/revision/deployment.ts";
import { getRevision } from "../../agents/revision/get-revision.ts";
import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { findVersions } from "./find-versions.ts";
import { requireResults } from "./require-results.ts";

/**
 * Deploys a revision, if it must be only after it reached minimum means in an experiment, and records the versions of skills
 * and integration configs that it was tested and deployed with. Throws as `deployRevision` and `requireResults` do.
 */
export const deployTested = async (
  deps: { db: Database; objects: ObjectStore; send: Send },
  {
    ctx,
    agentId,
    revision,
    body,
  }: {
    ctx: Pick<TenantContext, "clock" | "tenant" | "principal">;
    agentId: string;
    revision: number;
    body: DeployRevisionBody;
  },
): Promise<AgentItem> => {
  const tenantId = ctx.tenant.id;
  const { flow } = await getRevision(deps, { tenantId, agentId, revision });
  const { skills, integrationConfigs } = await findVersions(deps.db, tenantId, revision, flow);
  const deployedWith = { skills, integrationConfigs };
  if (!body.require) {
    return deployRevision(deps, { ctx, agentId, revision, deployedWith });
  }
  const tested = await requireResults(deps, {
    tenantId,
    agentId,
    revision,
    nonNullable: body.require,
  });
  const testedWith = {
    experimentId: body.require.experimentId,
    skills: tested.skills,
    integrationConfigs: tested.integrationConfigs,
  };
  return deployRevision(deps, { ctx, agentId, revision, deployedWith, testedWith });
};
