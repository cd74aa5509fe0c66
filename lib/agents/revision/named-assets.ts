import { type AssetItem, isManaged } from "../../knowledge/asset/asset-item.ts";
import type { RevisionAsset } from "../../knowledge/asset/schemas.ts";
import { getAssets, listAssets } from "../../knowledge/asset/store.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { didYouMean } from "../../platform/http/nearest-name.ts";
import type { ValidationIssue } from "../../platform/http/problems.ts";
import { hasScope } from "../../tenancy/collaborator/may.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import type { RevisionContent } from "./content.ts";
import { assetsInFlow, listAllSearches } from "./flow-parts.ts";

/** Assets that a revision names, as stored, by id. */
export type NamedAssets = ReadonlyMap<string, AssetItem>;

/**
 * Reads the assets that a revision names; finds those that do not exist, and searches in assets that have nothing to
 * search. Suggests others to a caller who may list them. An asset with a `link` may be new: the revision adds it to the tenant's list.
 */
export const findAssets = async (
  db: Database,
  { principal, tenant }: Pick<TenantContext, "principal" | "tenant">,
  content: RevisionContent,
): Promise<{ stored: NamedAssets; errors: ValidationIssue[] }> => {
  const ids = [...new Set(content.assets.map(({ id }) => id))];
  const stored = storedById(await getAssets(db, tenant.id, ids));
  const unknown = content.assets.flatMap(({ id, link }, at) =>
    stored.has(id) || link !== null ? [] : [{ id, pointer: `/assets/${at}/id` }],
  );
  const suggests = unknown.length > 0 && hasScope(principal, "assets:read");
  const known = suggests ? await listKnown(db, tenant.id) : [];
  const errors = unknown.map(({ id, pointer }) => ({
    pointer,
    detail: didYouMean(`there is no asset ${JSON.stringify(id)}`, id, known),
  }));
  return { stored, errors: errors.length > 0 ? errors : findEmptySearches(content, stored) };
};

/** Returns those assets that exist, by id. */
export const storedById = (items: readonly (AssetItem | undefined)[]): NamedAssets =>
  new Map(items.flatMap((item) => (item ? [[item.id, item]] : [])));

const suggestedFrom = 100;

const listKnown = async (db: Database, tenantId: TenantId): Promise<string[]> =>
  (await listAssets(db, tenantId, { size: suggestedFrom, skip: 0 })).items.map(({ id }) => id);

/** Finds searches in assets that have no source, so that they would always find nothing. */
const findEmptySearches = (content: RevisionContent, stored: NamedAssets): ValidationIssue[] => {
  const hasSource = (id: string): boolean => {
    const item = stored.get(id);
    return item !== undefined && isManaged(item);
  };
  const without = assetsInFlow(content).filter(({ id }) => !hasSource(id));
  const finds = content.assets.some(({ id }) => hasSource(id));
  return [
    ...without.map(({ id, pointer }) => ({
      pointer,
      detail: `the asset ${JSON.stringify(id)} has no source to search; create it with a type first`,
    })),
    ...(finds ? [] : listAllSearches(content)).map((pointer) => ({
      pointer,
      detail: "finds none: no asset of the revision has a source to search",
    })),
  ];
};

/** Completes the assets of a revision that were given by id alone. */
export const completeAssets = (
  assets: readonly RevisionAsset[],
  stored: NamedAssets,
): RevisionAsset[] =>
  assets.map((asset) => {
    const found = stored.get(asset.id);
    return {
      ...asset,
      displayName: asset.displayName ?? found?.displayName ?? null,
      contentType: asset.contentType ?? found?.contentType ?? null,
      assetType: asset.assetType ?? found?.assetType ?? null,
      link: asset.link ?? found?.link ?? null,
    };
  });

/** Returns the assets of a revision that have no source: their list follows from the revisions. */
export const withoutSource = (
  assets: readonly RevisionAsset[],
  stored: NamedAssets,
): RevisionAsset[] =>
  assets.filter(({ id }) => {
    const found = stored.get(id);
    return !found || !isManaged(found);
  });
