import type { Score } from "../../executions/scores.ts";
import { nameCreated } from "../../platform/db/companion-writes.ts";
import type { Database } from "../../platform/db/database.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { requireOwnScore } from "./own-score.ts";
import { putScore } from "./put-score.ts";
import type { CreateScoreBody } from "./schemas.ts";

/**
 * Scores an execution; a score with the same id is replaced. A repeated request with an idempotency key replaces its own
 * score. Throws 404, and 409 when the execution has too many scores or the score is of another caller.
 */
export const createScore = (
  { db }: { db: Database },
  {
    ctx,
    agentId,
    executionId,
    body,
  }: {
    ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant" | "principal" | "once">;
    agentId: string;
    executionId: string;
    body: CreateScoreBody;
  },
): Promise<Score> => {
  const id = body.id ?? ctx.once?.earlier[0] ?? ctx.once?.token ?? newUuid(ctx);
  nameCreated(db, id);
  return putScore(
    db,
    { tenantId: ctx.tenant.id, agentId, executionId },
    {
      id,
      name: body.name,
      value: body.value,
      spanId: body.spanId ?? null,
      comment: body.comment ?? null,
      source: "Api",
      createdAt: ctx.clock(),
      createdBy: ctx.principal.id,
    },
    { check: requireOwnScore(ctx.principal, id) },
  );
};
