import type { OnlineEvaluationItem } from "../../agents/agent/online-evaluation.ts";
import type { Database } from "../../platform/db/database.ts";
import { toMonth } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { notFound, validationFailed } from "../../platform/http/problems.ts";
import { authorizeEffect } from "../../tenancy/collaborator/authorize.ts";
import { effects } from "../../tenancy/collaborator/may.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import type { Scorer } from "../scorer/schemas.ts";
import { getScorers } from "../scorer/store.ts";
import type { OnlineEvaluation, PutOnlineEvaluationBody } from "./schemas.ts";
import { getAgentAndEvaluated, writeOnlineEvaluation } from "./store.ts";
import { toOnlineEvaluation } from "./to-online-evaluation.ts";

/**
 * Sets which executions of an agent are scored in the background. Throws 404, 400 for a scorer that cannot score them, and
 * 403 when the caller may not run the agent of one.
 */
export const putOnlineEvaluation = async (
  { db }: { db: Database },
  {
    ctx,
    agentId,
    body,
  }: {
    ctx: Pick<TenantContext, "clock" | "tenant" | "principal">;
    agentId: string;
    body: PutOnlineEvaluationBody;
  },
): Promise<OnlineEvaluation> => {
  const tenantId = ctx.tenant.id;
  const now = ctx.clock();
  const [found, scorers] = await Promise.all([
    getAgentAndEvaluated(db, tenantId, agentId, toMonth(now)),
    requireScorers(db, tenantId, body.scorers),
  ]);
  if (!found) throw notFound("agent", agentId);
  const agents = scorers.flatMap((scorer) => scorer.agentId ?? []);
  await authorizeEffect(db, { principal: ctx.principal, tenantId }, effects.run, agents);
  const createdAt = found.agent.onlineEvaluation?.createdAt ?? now;
  const evaluation: OnlineEvaluationItem = { ...body, agents, createdAt, modifiedAt: now };
  if (!(await writeOnlineEvaluation(db, tenantId, agentId, evaluation))) {
    throw notFound("agent", agentId);
  }
  return toOnlineEvaluation(evaluation, found, ctx.principal);
};

/** Reads scorers; throws 400 for those that do not exist, or need what no execution has. */
const requireScorers = async (
  db: Database,
  tenantId: TenantId,
  ids: readonly string[],
): Promise<Scorer[]> => {
  const scorers = await getScorers(db, tenantId, ids);
  const errors = scorers.flatMap((scorer, at) => {
    const pointer = `/scorers/${at}`;
    if (!scorer) return [{ pointer, detail: "is not a scorer of this tenant" }];
    if (scorer.type !== "Exact") return [];
    const detail = "compares with an expected value, which only examples of datasets have";
    return [{ pointer, detail }];
  });
  if (errors.length > 0) throw validationFailed(errors);
  return scorers.filter((scorer) => scorer !== undefined);
};
