import type { Database } from "../../platform/db/database.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import { conflict } from "../../platform/http/problems.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { AssetItem } from "./asset-item.ts";
import { type AssetSource, checkSourceParameters, requireSourceType } from "./asset-sources.ts";
import { checkEmbedding, defaultEmbedding } from "./check-embedding.ts";
import { planRefresh } from "./plan-refresh.ts";
import type { CreateAssetBody } from "./schemas.ts";
import { toStoredParameters, unmaskParameters } from "./source-credentials.ts";
import { putNewAsset } from "./store.ts";

/** Dependencies of creating and changing an asset. */
export type AssetDeps = {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly outgoing: OutgoingOptions;
  readonly sources: readonly AssetSource[];
};

/**
 * Creates an asset with a source, empty until it is synchronized. Throws 400 for an unknown type, parameters that it
 * does not have and a provider without embedding models, and 409 when an asset with this id has a source. An asset
 * that only revisions named gets the source.
 */
export const createAsset = async (
  { db, sealer, outgoing, sources }: AssetDeps,
  {
    ctx,
    body,
  }: { ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant">; body: CreateAssetBody },
): Promise<AssetItem> => {
  const tenantId = ctx.tenant.id;
  const source = requireSourceType(sources, body.type);
  const sent = unmaskParameters(body.parameters ?? {}, {});
  const given = await checkSourceParameters(source, sent, { tenantId, outgoing });
  const embedding = body.embedding ?? defaultEmbedding;
  await checkEmbedding(db, tenantId, embedding);
  const id = body.id ?? newUuid(ctx);
  const now = ctx.clock();
  const item = AssetItem.parse({
    id,
    displayName: body.displayName,
    contentType: null,
    assetType: null,
    vectorized: false,
    link: null,
    type: source.key,
    ...(await toStoredParameters(sealer, { tenantId, assetId: id }, source, given)),
    refresh: body.refresh ?? null,
    embedding,
    indexedWith: embedding,
    indexId: newUuid(ctx),
    version: 1,
    createdAt: now,
    modifiedAt: now,
  });
  if ((await putNewAsset(db, tenantId, item)) === "written") {
    if (item.refresh) await planRefresh(db, tenantId, item, null);
    return item;
  }
  throw conflict(`The asset id "${id}" is taken. Choose another.`);
};
