import type { Database } from "../../platform/db/database.ts";
import { conflict } from "../../platform/http/problems.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { checkScorer } from "./check-scorer.ts";
import type { CreateScorerBody, Scorer } from "./schemas.ts";
import { putNewScorer } from "./store.ts";

/** Creates a scorer with the given or a new id. Throws 400 for one that cannot score, 409 when the id is taken. */
export const createScorer = async (
  { db }: { db: Database },
  {
    ctx,
    body,
  }: { ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant">; body: CreateScorerBody },
): Promise<Scorer> => {
  const now = ctx.clock();
  const scorer: Scorer = {
    id: body.id ?? newUuid(ctx),
    displayName: body.displayName,
    type: body.type,
    path: body.path ?? null,
    schema: body.schema ?? null,
    value: body.value ?? null,
    llm: body.llm ?? null,
    rubric: body.rubric ?? null,
    agentId: body.agentId ?? null,
    guardrailId: body.guardrailId ?? null,
    createdAt: now,
    modifiedAt: now,
  };
  await checkScorer(ctx.tenant.id, scorer);
  if ((await putNewScorer(db, ctx.tenant.id, scorer)) === "written") return scorer;
  throw conflict(`The scorer id "${scorer.id}" is taken. Choose another.`);
};
