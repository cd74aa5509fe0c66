import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import { beingChanged, notFound, validationFailed } from "../../platform/http/problems.ts";
import { parseDestination } from "../../platform/outgoing/destination.ts";
import type { TenantContext } from "../tenant/context.ts";
import { sealApiKey } from "./api-key-seal.ts";
import { requireNotBuiltIn } from "./built-in-providers.ts";
import { checkProvider, type ProviderRules } from "./check-provider.ts";
import type { UpdateLlmProviderBody } from "./schemas.ts";
import { getProvider, type ProviderItem, replaceProvider } from "./store.ts";

/**
 * Changes a provider. Throws 404, 409 for a built-in one, and 400 for settings that cannot work, for another
 * type, and for another address without the key: a stored key is sent only where it was given for.
 */
export const updateLlmProvider = async (
  { db, sealer, ...rules }: ProviderRules & { db: Database; sealer: Sealer },
  {
    ctx,
    providerId,
    body,
  }: {
    ctx: Pick<TenantContext, "clock" | "tenant">;
    providerId: string;
    body: UpdateLlmProviderBody;
  },
): Promise<ProviderItem> => {
  const tenantId = ctx.tenant.id;
  requireNotBuiltIn(providerId);
  const { apiKey } = body;
  const newKey =
    typeof apiKey === "string" ? await sealApiKey(sealer, tenantId, providerId, apiKey) : apiKey;
  return retryOnConflict(
    {
      attempts: 3,
      error: () => beingChanged("language-model provider", providerId),
    },
    async () => {
      const before = await getProvider(db, tenantId, providerId);
      if (!before) throw notFound("language-model provider", providerId);
      const after: ProviderItem = {
        ...before,
        displayName: body.displayName ?? before.displayName,
        baseUrl: body.baseUrl === undefined ? before.baseUrl : body.baseUrl,
        region: body.region === undefined ? before.region : body.region,
        defaultModel: body.defaultModel === undefined ? before.defaultModel : body.defaultModel,
        apiKey: newKey === undefined ? before.apiKey : newKey,
        modifiedAt: ctx.clock(),
      };
      requireSameType(before, body);
      checkProvider({ ...after, hasApiKey: after.apiKey !== null }, rules);
      requireKeyForNewAddress(before, after);
      const outcome = await replaceProvider(db, tenantId, after);
      return outcome === "changed" ? outcome : after;
    },
  );
};

const requireSameType = (before: ProviderItem, body: UpdateLlmProviderBody): void => {
  if (body.type === undefined || body.type === before.type) return;
  const detail = `cannot change: it is ${before.type}. Create another provider`;
  throw validationFailed([{ pointer: "/type", detail }]);
};

const requireKeyForNewAddress = (before: ProviderItem, after: ProviderItem): void => {
  if (before.apiKey === null || after.apiKey !== before.apiKey) return;
  const isMoved = toDestination(before) !== toDestination(after);
  if (!isMoved && before.region === after.region) return;
  const detail = `is required with another ${isMoved ? "baseUrl" : "region"}: the stored key is sent only to the address that it was stored for`;
  throw validationFailed([{ pointer: "/apiKey", detail }]);
};

const toDestination = ({ baseUrl }: ProviderItem): string | undefined =>
  baseUrl === null ? undefined : parseDestination(baseUrl);
