import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import { beingChanged, notFound } from "../../platform/http/problems.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { type AssetItem, isManaged, type ManagedAsset } from "./asset-item.ts";
import { checkSourceParameters, requireSourceType } from "./asset-sources.ts";
import { checkEmbedding } from "./check-embedding.ts";
import type { AssetDeps } from "./create-asset.ts";
import { noSource } from "./no-source.ts";
import { planRefresh } from "./plan-refresh.ts";
import type { UpdateAssetBody } from "./schemas.ts";
import {
  openSourceCredentials,
  toStoredParameters,
  unmaskParameters,
} from "./source-credentials.ts";
import { changeSettings, getAsset } from "./store.ts";

/** Changes an asset's settings. Throws 404, 400 as creation does, and 409 for an asset without a source. */
export const updateAsset = (
  deps: AssetDeps,
  {
    ctx,
    assetId,
    body,
  }: { ctx: Pick<TenantContext, "clock" | "tenant">; assetId: string; body: UpdateAssetBody },
): Promise<AssetItem> => {
  const tenantId = ctx.tenant.id;
  return retryOnConflict(
    {
      attempts: 3,
      error: () => beingChanged("asset", assetId),
    },
    async () => {
      const before = await getAsset(deps.db, tenantId, assetId);
      if (!before) throw notFound("asset", assetId);
      if (!isManaged(before)) throw noSource(assetId);
      if (body.embedding) await checkEmbedding(deps.db, tenantId, body.embedding);
      const changed = await changeSettings(deps.db, tenantId, before, {
        displayName: body.displayName ?? before.displayName,
        refresh: body.refresh === undefined ? before.refresh : body.refresh,
        embedding: body.embedding ?? before.embedding,
        ...(body.parameters && (await newParameters(before, body.parameters, { tenantId, deps }))),
        modifiedAt: ctx.clock(),
      });
      if (!changed) return "changed";
      const isPlanned = changed.refresh !== before.refresh && changed.sync === null;
      if (isPlanned) await planRefresh(deps.db, tenantId, changed, changed.lastSyncedAt);
      return changed;
    },
  );
};

/** A stored credential is kept only for the address that it was given for. */
const newParameters = async (
  before: ManagedAsset,
  sent: NonNullable<UpdateAssetBody["parameters"]>,
  { tenantId, deps }: { tenantId: TenantContext["tenant"]["id"]; deps: AssetDeps },
): Promise<Pick<AssetItem, "parameters" | "secrets">> => {
  const place = { tenantId, assetId: before.id };
  const source = requireSourceType(deps.sources, before.type);
  const stored = await openSourceCredentials(deps.sealer, place, before.secrets);
  const moved = addressNames.filter(
    (name) => (sent[name] ?? null) !== (before.parameters?.[name] ?? null),
  );
  const unmasked = unmaskParameters(sent, moved.length > 0 ? {} : stored);
  const given = await checkSourceParameters(source, unmasked, {
    tenantId,
    outgoing: deps.outgoing,
  });
  return toStoredParameters(deps.sealer, place, source, given);
};

/** Parameters with the address that credentials are sent to. */
const addressNames = ["baseUrl", "subdomain"];
