import type { CompiledFlow } from "../../engine/flow/compile-flow.ts";
import type { AgentUse } from "../../engine/flow/step-type.ts";
import type { AllowedModels } from "../../engine/models/allowed-models.ts";
import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import { validationFailed } from "../../platform/http/problems.ts";
import { newUuid, type Runtime } from "../../platform/runtime/runtime.ts";
import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { provideSigningSecret } from "../../tenancy/tenant/signing-secret.ts";
import { asksByLink } from "./asks-by-link.ts";
import { checkModels, checkProviders } from "./check-models.ts";
import { checkRevision } from "./check-revision.ts";
import { completeSubAgents } from "./complete-sub-agents.ts";
import type { CreateRevisionBody, RevisionContent } from "./content.ts";
import { findNamed } from "./find-named.ts";
import type { SentSecrets } from "./merge-secrets.ts";
import { completeAssets } from "./named-assets.ts";
import { requireReach, requireSkillReach } from "./require-reach.ts";
import { type Secrets, takeSecrets } from "./secrets.ts";

/** Dependencies of checking a revision. */
export type PrepareDeps = {
  db: Database;
  objects: ObjectStore;
  sealer: Sealer;
  bedrockModels: AllowedModels;
};

/** The caller who sent a revision. */
export type PrepareContext = Pick<
  TenantContext,
  "clock" | "randomBytes" | "tenant" | "principal" | "baseUrl"
>;

/** A checked revision. `masked`: its content as it is stored, without the secrets. */
export type PreparedRevision = SentSecrets & {
  content: RevisionContent;
  masked: RevisionContent;
  found: Awaited<ReturnType<typeof findNamed>>;
  uses: readonly AgentUse[];
  flow: CompiledFlow;
  /** The ids of the steps that each step reads. */
  reads: ReadonlyMap<string, readonly string[]>;
};

/**
 * Checks a revision, completes its assets and sub-agents, and takes its secrets out. Throws 403 when it names what the caller
 * may not read, 400 with a pointer to every error, and 404.
 */
export const prepareRevision = async (
  deps: PrepareDeps,
  {
    ctx,
    agentId,
    processor,
    ...input
  }: {
    ctx: PrepareContext;
    agentId: string;
    content: CreateRevisionBody;
    processor: ProcessorBudget;
  },
): Promise<PreparedRevision> => {
  const content = complete(ctx, input.content);
  const tenantId = ctx.tenant.id;
  requireReach(ctx.principal, content);
  const { uses, flow, reads } = await checkRevision(agentId, content, processor);
  await requireSkillReach(deps.db, ctx, content);
  const found = await findNamed(deps.db, ctx, { agentId, uses, content });
  await checkProviders(deps.db, ctx, content);
  await checkModels(deps, { tenantId, content });
  const taken = takeSecrets({
    ...content,
    assets: completeAssets(content.assets, found.assets),
    subAgents: await completeSubAgents(deps, {
      ctx,
      agentId,
      subAgents: content.subAgents,
      known: found.agents,
    }),
  });
  requireSmall(taken.secrets);
  const { randomBytes, baseUrl } = ctx;
  if (flow.callbacks.length > 0) {
    await provideSigningSecret(deps, { tenantId, purpose: "callbacks", randomBytes, baseUrl });
  }
  if (asksByLink(content.flow)) {
    await provideSigningSecret(deps, { tenantId, purpose: "approval-links", randomBytes, baseUrl });
  }
  return { content, ...taken, found, uses, flow, reads };
};

/** Secrets share an item of at most 400 KB with the content; secrets of an earlier revision may be added. */
const maxSecretBytes = 48 * 1_024;

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
