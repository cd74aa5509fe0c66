import type { Asset } from "../../../client/openapi.ts";
import { formatCount } from "../shared/format.ts";
import { StatusBadge } from "../shared/status-badge.tsx";
import { assetKinds } from "./status.ts";

/** Shows the state of an asset's index, with the progress of a synchronization. */
export const AssetStatus = ({ asset }: { asset: Asset }) => {
  const { type, status, progress } = asset;
  if (type === null) return <StatusBadge status="No source" kind="idle" />;
  const { documentsSeen } = progress;
  const isReading = status === "Syncing" && documentsSeen > 0;
  const label = isReading ? `Syncing, ${formatCount(documentsSeen)} read` : status;
  return <StatusBadge status={label} kind={assetKinds[status]} />;
};
