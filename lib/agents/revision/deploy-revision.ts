import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { conflict, notFound, validationFailed } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { authorizeEffect } from "../../tenancy/collaborator/authorize.ts";
import { effects } from "../../tenancy/collaborator/may.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { requestLaterSync, requestSync } from "../agent/request-sync.ts";
import { type AgentItem, getAgent } from "../agent/store.ts";
import { checkPolicyInputs } from "../job-policy/check-policy-inputs.ts";
import type { RevisionContent } from "./content.ts";
import { findCycle } from "./find-cycle.ts";
import { getRevision } from "./get-revision.ts";
import { getRevisionItem, putDeployment, type RevisionDeployment } from "./store.ts";

/**
 * Deploys a revision and records who deployed it; an older one rolls the agent back. Schedules
 * follow through a queue: one message is sent before the write and one after it, so that a crash
 * leaves them consistent with the deployed revision. Throws 404, 403 when the caller may not run
 * the scheduled agent or a sub-agent, 400 for a job policy with an invalid input, and 409 when a
 * sub-agent does not exist or a cycle results.
 */
export const deployRevision = async (
  { db, objects, send }: { db: Database; objects: ObjectStore; send: Send },
  {
    ctx,
    agentId,
    revision,
    deployedWith,
    testedWith,
  }: { ctx: Pick<TenantContext, "clock" | "tenant" | "principal"> } & {
    agentId: string;
    revision: number;
  } & Pick<RevisionDeployment, "deployedWith" | "testedWith">,
): Promise<AgentItem> => {
  const tenantId = ctx.tenant.id;
  const item = await getRevisionItem(db, tenantId, agentId, revision);
  if (!item) throw notFound("revision", `${agentId}/${revision}`);
  const content = item.isScheduled
    ? await getRevision({ db, objects }, { tenantId, agentId, revision })
    : { jobPolicyConfigs: [], parametersMetadata: [] };
  const runs = [...(content.jobPolicyConfigs.length > 0 ? [agentId] : []), ...item.subAgentIds];
  await authorizeEffect(db, { principal: ctx.principal, tenantId }, effects.run, runs);
  await requirePolicyInputs(tenantId, content);
  const cycle = await findCycle(db, tenantId, agentId, item.subAgentIds);
  if (cycle) {
    throw conflict(
      `Agents must not use each other in a cycle: ${cycle.join(" → ")}. Deploy one of them without the other first.`,
    );
  }
  return retryOnConflict(
    {
      attempts: 3,
      error: () =>
        conflict(`The agent "${agentId}" was changed by another request. Read it and try again.`),
    },
    async (attempt) => {
      const agent = await getAgent(db, tenantId, agentId);
      if (!agent) throw notFound("agent", agentId);
      const isScheduled = agent.isScheduled || item.isScheduled;
      if (isScheduled && attempt === 0) await requestLaterSync(send, tenantId, agentId);
      const deployedAt = ctx.clock();
      const result = await putDeployment(db, tenantId, agent, {
        revision: item,
        deployedAt,
        deployedBy: ctx.principal.id,
        deployedWith,
        testedWith,
      });
      if (result.outcome === "changed") return result.outcome;
      if (result.outcome === "missing") {
        throw conflict(
          `Revision ${revision} uses sub-agents that do not exist: ${result.subAgents.join(", ")}.`,
        );
      }
      if (isScheduled) await requestSync(send, tenantId, agentId);
      return { ...agent, deployedRevision: revision, isScheduled, modifiedAt: deployedAt };
    },
  );
};

/** Checks the inputs of job policies; pointers refer to the revision, since a deployment has no body. */
const requirePolicyInputs = async (
  tenantId: TenantId,
  {
    jobPolicyConfigs,
    parametersMetadata,
  }: Pick<RevisionContent, "jobPolicyConfigs" | "parametersMetadata">,
): Promise<void> => {
  const processor = new ProcessorBudget(tenantId, processorLimits.requestMs);
  const problems = await checkPolicyInputs(jobPolicyConfigs, parametersMetadata, processor);
  const errors = problems.map((error) => ({
    ...error,
    pointer: `/jobPolicyConfigs${error.pointer}`,
  }));
  if (errors.length > 0) throw validationFailed(errors);
};
