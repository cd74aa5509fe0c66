import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { didYouMean } from "../../platform/http/nearest-name.ts";
import { type AssetItem, isManaged } from "../asset/asset-item.ts";
import { listAssets } from "../asset/store.ts";

/** An asset that a search names and that cannot be searched. */
export type Unsearchable = { readonly id: string; readonly detail: string };

/** Thrown for a search that names assets which do not exist or have no source. */
export class UnsearchableAssets extends Error {
  override readonly name = "UnsearchableAssets";
  readonly assets: readonly Unsearchable[];

  constructor(assets: readonly Unsearchable[]) {
    super(assets.map(({ detail }) => detail).join("; "));
    this.assets = assets;
  }
}

const suggestedFrom = 100;

/** Throws UnsearchableAssets when an asset was not found, or has no source unless those are ignored. */
export const requireSearchable = async (
  db: Database,
  tenantId: TenantId,
  { ids, named, ignoresSourceless }: Named,
): Promise<void> => {
  const found = new Map(named.flatMap((item) => (item ? [[item.id, item] as const] : [])));
  const unknown = ids.filter((id) => !found.has(id));
  const sourceless = ids.filter((id) => {
    const item = found.get(id);
    return !ignoresSourceless && item !== undefined && !isManaged(item);
  });
  if (unknown.length === 0 && sourceless.length === 0) return;
  const page = { size: suggestedFrom, skip: 0 };
  const known = unknown.length > 0 ? (await listAssets(db, tenantId, page)).items : [];
  const names = known.map(({ id }) => id);
  throw new UnsearchableAssets([
    ...unknown.map((id) => ({
      id,
      detail: didYouMean(`there is no asset ${JSON.stringify(id)}`, id, names),
    })),
    ...sourceless.map((id) => ({
      id,
      detail: `the asset ${JSON.stringify(id)} has no source to search`,
    })),
  ]);
};

type Named = {
  readonly ids: readonly string[];
  readonly named: readonly (AssetItem | undefined)[];
  /** Whether assets that only revisions name are left out, as an agent's search of all its assets does. */
  readonly ignoresSourceless: boolean;
};
