import { upsertAssets } from "../../knowledge/asset/upsert-assets.ts";
import { packValue } from "../../platform/db/large-value.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import { conflict, notFound } from "../../platform/http/problems.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { getAgent } from "../agent/store.ts";
import type { CreateRevisionBody } from "./content.ts";
import { mergeSecrets } from "./merge-secrets.ts";
import { withoutSource } from "./named-assets.ts";
import { type PrepareContext, type PrepareDeps, prepareRevision } from "./prepare-revision.ts";
import type { CreatedRevision } from "./schemas.ts";
import { putNextRevision } from "./store.ts";
import { toRevision } from "./to-revision.ts";
import { findToolWarnings } from "./warn-of-tools.ts";
import { markReady } from "./with-ready-assets.ts";

const maxPauseMs = 300;

/**
 * Creates the agent's next revision; numbers are consecutive, also under concurrency. Completes its assets and
 * sub-agents, and adds new assets to the tenant's list first. Throws 403 when it names what the caller may not read,
 * 400 with a pointer to every error, and 404.
 */
export const createRevision = async (
  deps: PrepareDeps,
  {
    ctx,
    ...input
  }: {
    ctx: PrepareContext;
    agentId: string;
    content: CreateRevisionBody;
  },
): Promise<CreatedRevision> => {
  const { agentId } = input;
  const tenantId = ctx.tenant.id;
  const processor = new ProcessorBudget(tenantId, processorLimits.requestMs);
  const prepared = await prepareRevision(deps, { ctx, ...input, processor });
  const { content, masked, secrets, kept, found, uses } = prepared;
  const subAgentIds = [...new Set(uses.map((use) => use.agentId))];
  const warnings = await findToolWarnings(
    { db: deps.db, clock: ctx.clock, processor },
    { tenantId, content, configs: found.configs },
  );
  const objectKey = `${tenantId}/${agentId}/revisions/${newUuid(ctx)}`;
  const packed = await packValue(masked, objectKey, deps.objects, maxInlineBytes);

  return retryOnConflict(
    {
      attempts: 25,
      maxPauseMs,
      error: () => conflict("Too many revisions are being created concurrently. Try again."),
    },
    async () => {
      const agent = await getAgent(deps.db, tenantId, agentId);
      if (!agent) throw notFound("agent", agentId);
      const revision = (agent.latestRevision ?? 0) + 1;
      const createdAt = ctx.clock();
      const sealed = await mergeSecrets(deps, { tenantId, agent, sent: { secrets, kept } });
      const named = await upsertAssets(deps.db, tenantId, agent, {
        agentRevision: revision,
        createdAt,
        assets: withoutSource(masked.assets, found.assets),
      });
      const item = {
        agentRevision: revision,
        comment: content.comment,
        createdAt,
        createdBy: ctx.principal.id,
        deployedAt: null,
        deployedBy: null,
        deployedWith: null,
        testedWith: null,
        subAgentIds,
        isScheduled: content.jobPolicyConfigs.length > 0,
      };
      const next = { item, content: { content: packed, secrets: sealed } };
      const outcome =
        named === "written" ? await putNextRevision(deps.db, tenantId, agent, next) : named;
      if (outcome === "changed") return outcome;
      const created = toRevision({ tenantId, agentId, agentRevision: revision }, masked);
      return { ...markReady(created, found.assets), warnings };
    },
  );
};

const maxInlineBytes = 250_000;
