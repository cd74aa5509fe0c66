import type { Asset, AssetDocument } from "../../../client/openapi.ts";
import type { StatusKind } from "../shared/status-badge.tsx";

/** Kinds of the statuses of assets. */
export const assetKinds: Readonly<Record<Asset["status"], StatusKind>> = {
  Empty: "idle",
  Syncing: "busy",
  Ready: "good",
  Failed: "bad",
};

/** Kinds of the statuses of documents. */
export const documentKinds: Readonly<Record<AssetDocument["status"], StatusKind>> = {
  Pending: "busy",
  Indexed: "good",
  Failed: "bad",
};
