import { type AssetItem, isManaged } from "./asset-item.ts";

/** Describes why an asset has no texts, as the rest of a sentence; undefined for one that may have some. */
export const describeUnavailable = (asset: AssetItem | undefined): string | undefined => {
  if (!asset) return "does not exist";
  if (!isManaged(asset)) return "has no source, so that it has no text";
  if (asset.documentCount > 0) return undefined;
  if (asset.status === "Syncing") return "is synchronized for the first time; try again later";
  if (asset.status === "Failed") return `could not be synchronized: ${asset.error ?? "no reason"}`;
  return "has no indexed documents yet";
};
