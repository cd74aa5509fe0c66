import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import { beingChanged, notFound, validationFailed } from "../../platform/http/problems.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { checkScorer } from "./check-scorer.ts";
import type { Scorer, UpdateScorerBody } from "./schemas.ts";
import { changeScorer, getScorer } from "./store.ts";

/**
 * Changes the members of a scorer that were sent; experiments keep the scorer that they started with. Throws 404, and
 * 400 for another type or for one that cannot score.
 */
export const updateScorer = (
  { db }: { db: Database },
  {
    ctx,
    scorerId,
    body,
  }: { ctx: Pick<TenantContext, "clock" | "tenant">; scorerId: string; body: UpdateScorerBody },
): Promise<Scorer> =>
  retryOnConflict({ error: () => beingChanged("scorer", scorerId) }, async () => {
    const scorer = await getScorer(db, ctx.tenant.id, scorerId);
    if (!scorer) throw notFound("scorer", scorerId);
    const { displayName, type, path, schema, value, llm, rubric, agentId, guardrailId } = body;
    if (type !== undefined && type !== scorer.type) {
      const detail = `cannot be changed: the scorer has the type ${scorer.type}`;
      throw validationFailed([{ pointer: "/type", detail }]);
    }
    const sent = Object.entries({
      displayName,
      path,
      schema,
      value,
      llm,
      rubric,
      agentId,
      guardrailId,
    });
    const change = Object.fromEntries(sent.filter(([, member]) => member !== undefined));
    if (Object.keys(change).length === 0) return scorer;
    await checkScorer(ctx.tenant.id, { ...scorer, ...change });
    const modifiedAt = Math.max(ctx.clock(), scorer.modifiedAt + 1);
    const changed = await changeScorer(db, ctx.tenant.id, scorer, { ...change, modifiedAt });
    return changed ?? "changed";
  });
