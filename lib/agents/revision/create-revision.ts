import type { AllowedModels } from "../../engine/models/allowed-models.ts";
import { upsertAssets } from "../../knowledge/asset/upsert-assets.ts";
import type { Database } from "../../platform/db/database.ts";
import { type ObjectStore, packValue } from "../../platform/db/large-value.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import { conflict, notFound, validationFailed } from "../../platform/http/problems.ts";
import { newUuid, type Runtime } from "../../platform/runtime/runtime.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { provideSigningSecret } from "../../tenancy/tenant/signing-secret.ts";
import { getAgent } from "../agent/store.ts";
import { asksByLink } from "./asks-by-link.ts";
import { checkModels, checkProviders } from "./check-models.ts";
import { checkRevision } from "./check-revision.ts";
import { completeSubAgents } from "./complete-sub-agents.ts";
import type { CreateRevisionBody, RevisionContent } from "./content.ts";
import { findNamed } from "./find-named.ts";
import { mergeSecrets } from "./merge-secrets.ts";
import { completeAssets, withoutSource } from "./named-assets.ts";
import { requireReach, requireSkillReach } from "./require-reach.ts";
import type { CreatedRevision } from "./schemas.ts";
import { type Secrets, takeSecrets } from "./secrets.ts";
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
  deps: { db: Database; objects: ObjectStore; sealer: Sealer; bedrockModels: AllowedModels },
  {
    ctx,
    ...input
  }: {
    ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant" | "principal" | "baseUrl">;
    agentId: string;
    content: CreateRevisionBody;
  },
): Promise<CreatedRevision> => {
  const { agentId } = input;
  const content = complete(ctx, input.content);
  const tenantId = ctx.tenant.id;
  const processor = new ProcessorBudget(tenantId, processorLimits.requestMs);
  requireReach(ctx.principal, content);
  const { uses, flow } = await checkRevision(agentId, content, processor);
  await requireSkillReach(deps.db, ctx, content);
  const subAgentIds = [...new Set(uses.map((use) => use.agentId))];
  const found = await findNamed(deps.db, ctx, { agentId, uses, content });
  await checkProviders(deps.db, ctx, content);
  await checkModels(deps, { tenantId, content });
  const warnings = await findToolWarnings(
    { db: deps.db, clock: ctx.clock, processor },
    { tenantId, content, configs: found.configs },
  );
  const { masked, secrets, kept } = takeSecrets({
    ...content,
    assets: completeAssets(content.assets, found.assets),
    subAgents: await completeSubAgents(deps, {
      ctx,
      agentId,
      subAgents: content.subAgents,
      known: found.agents,
    }),
  });
  requireSmall(secrets);
  if (flow.callbacks.length > 0) {
    const { randomBytes, baseUrl } = ctx;
    await provideSigningSecret(deps, { tenantId, purpose: "callbacks", randomBytes, baseUrl });
  }
  if (asksByLink(content.flow)) {
    const { randomBytes, baseUrl } = ctx;
    await provideSigningSecret(deps, { tenantId, purpose: "approval-links", randomBytes, baseUrl });
  }
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

/** Secrets share an item of at most 400 KB with the content; secrets of an earlier revision may be added. */
const maxSecretBytes = 48 * 1_024;
const maxInlineBytes = 250_000;

const requireSmall = (secrets: Secrets): void => {
  if (Buffer.byteLength(JSON.stringify(secrets)) <= maxSecretBytes) return;
  const detail = `has more than ${maxSecretBytes} bytes of secrets in all`;
  throw validationFailed([{ pointer: "", detail }]);
};

/**
 * Adds the missing ids and creation times of connectors and job policies; drops members that are
 * not stored.
 */
const complete = (ctx: Runtime, content: CreateRevisionBody): RevisionContent => {
  const now = ctx.clock();
  const withTimes = <Part extends { createdAt: number | null; modifiedAt: number | null }>(
    part: Part,
  ) => ({ ...part, createdAt: part.createdAt ?? now, modifiedAt: part.modifiedAt ?? now });
  return {
    ...content,
    assets: content.assets.map((asset) => ({ ...asset, vectorized: false })),
    subAgents: content.subAgents.map((subAgent) => ({ ...subAgent, completed: [] })),
    connectors: content.connectors.map(withTimes),
    jobPolicyConfigs: content.jobPolicyConfigs
      .map((policy) => ({ ...policy, id: policy.id ?? newUuid(ctx) }))
      .map(withTimes),
  };
};
