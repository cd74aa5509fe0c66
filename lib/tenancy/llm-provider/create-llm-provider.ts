import type { Database } from "../../platform/db/database.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import { conflict } from "../../platform/http/problems.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { TenantContext } from "../tenant/context.ts";
import { sealApiKey } from "./api-key-seal.ts";
import { requireNotBuiltIn } from "./built-in-providers.ts";
import { checkProvider, type ProviderRules } from "./check-provider.ts";
import type { CreateLlmProviderBody } from "./schemas.ts";
import { type ProviderItem, putNewProvider } from "./store.ts";

/**
 * Creates a provider under the id that the caller chose, or a new one. Throws 400 for settings that cannot
 * work, and 409 when the id is taken or built in.
 */
export const createLlmProvider = async (
  { db, sealer, ...rules }: ProviderRules & { db: Database; sealer: Sealer },
  {
    ctx,
    body,
  }: { ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant">; body: CreateLlmProviderBody },
): Promise<ProviderItem> => {
  const tenantId = ctx.tenant.id;
  const id = body.id ?? newUuid(ctx);
  const { type, baseUrl = null, region = null, defaultModel = null, apiKey = null } = body;
  checkProvider({ type, baseUrl, region, defaultModel, hasApiKey: apiKey !== null }, rules);
  requireNotBuiltIn(id);
  const now = ctx.clock();
  const item: ProviderItem = {
    id,
    type,
    displayName: body.displayName ?? id,
    baseUrl,
    region,
    defaultModel,
    apiKey: apiKey === null ? null : await sealApiKey(sealer, tenantId, id, apiKey),
    version: 1,
    createdAt: now,
    modifiedAt: now,
  };
  if ((await putNewProvider(db, tenantId, item)) === "written") return item;
  throw conflict(`The language-model provider id "${id}" is taken. Choose another.`);
};
