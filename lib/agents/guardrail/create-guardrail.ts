import type { Database } from "../../platform/db/database.ts";
import { conflict } from "../../platform/http/problems.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { checkChecks } from "./check-checks.ts";
import type { CreateGuardrailBody, Guardrail } from "./schemas.ts";
import { putNewGuardrail } from "./store.ts";

/** Creates a guardrail with the given or a new id. Throws 400 for a check that cannot be made, 409 when the id is taken. */
export const createGuardrail = async (
  { db }: { db: Database },
  {
    ctx,
    body,
  }: { ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant">; body: CreateGuardrailBody },
): Promise<Guardrail> => {
  const now = ctx.clock();
  const { displayName, checks } = body;
  const id = body.id ?? newUuid(ctx);
  const guardrail = { id, displayName, checks, revision: 1, createdAt: now, modifiedAt: now };
  await checkChecks(db, ctx.tenant.id, checks);
  if ((await putNewGuardrail(db, ctx.tenant.id, guardrail)) === "written") return guardrail;
  throw conflict(`The guardrail id "${id}" is taken. Choose another.`);
};
