import { setTimeout as sleep } from "node:timers/promises";
import { getAgent } from "../agent/store.ts";
import type { Database } from "../db/database.ts";
import { type ObjectStore, packValue } from "../db/large-value.ts";
import type { Sealer } from "../db/seal.ts";
import type { TenantContext } from "../http/endpoint.ts";
import { conflict, notFound } from "../http/problems.ts";
import { newUuid, type Runtime } from "../runtime/runtime.ts";
import { checkRevision } from "./check-revision.ts";
import { mergeSecrets } from "./merge-secrets.ts";
import type { CreateRevisionBody, Revision, RevisionContent } from "./schemas.ts";
import { takeSecrets } from "./secrets.ts";
import { putNextRevision } from "./store.ts";

const attempts = 25;
const longestPauseMs = 300;

/**
 * Creates the agent's next revision: numbers go up by one, without gaps, however many are created at once.
 * Throws 400 with a pointer for everything in it that cannot work, and 404.
 */
export const createRevision = async ({
  ctx,
  input,
  deps,
}: {
  ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant" | "principal">;
  input: { agentId: string; content: CreateRevisionBody };
  deps: { db: Database; objects: ObjectStore; sealer: Sealer };
}): Promise<Revision> => {
  const { agentId } = input;
  const content = withIds(ctx, input.content);
  const tenantId = ctx.tenant.id;
  const subAgentIds = checkRevision(agentId, content);
  const { masked, secrets, kept } = takeSecrets(content);
  const objectKey = `${tenantId}/${agentId}/revisions/${newUuid(ctx)}`;
  const packed = await packValue(masked, objectKey, deps.objects);

  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const agent = await getAgent(deps.db, tenantId, agentId);
    if (!agent) throw notFound("agent", agentId);
    const revision = (agent.latestRevision ?? 0) + 1;
    const outcome = await putNextRevision(deps.db, tenantId, agent, {
      item: {
        agentRevision: revision,
        comment: content.comment,
        createdAt: ctx.clock(),
        createdBy: ctx.principal.id,
        deployedAt: null,
        deployedBy: null,
        subAgentIds,
        isScheduled: content.jobPolicyConfigs.length > 0,
      },
      content: {
        content: packed,
        secrets: await mergeSecrets(deps, tenantId, agent, { secrets, kept }),
      },
    });
    if (outcome === "written") return { agentId, agentRevision: revision, ...masked };
    await sleep((attempt / attempts) * longestPauseMs * Math.random());
  }
  throw conflict("Too many revisions are being created at once. Try again.");
};

const withIds = (ctx: Runtime, content: CreateRevisionBody): RevisionContent => ({
  ...content,
  jobPolicyConfigs: content.jobPolicyConfigs.map((policy) => ({
    ...policy,
    id: policy.id ?? newUuid(ctx),
  })),
});
