import type { Asset } from "../../../client/openapi.ts";
import { useDeleteAsset } from "../asset-queries/use-assets.ts";
import { DeleteDialog } from "../shared/delete-dialog.tsx";

type DeleteAssetDialogProps = {
  asset: Asset;
  onDeleted?: (() => void) | undefined;
  onClose: () => void;
};

/** Asks before an asset is deleted. */
export const DeleteAssetDialog = ({ asset, onDeleted, onClose }: DeleteAssetDialogProps) => {
  const { mutateAsync } = useDeleteAsset(asset.id);
  return (
    <DeleteDialog
      name={asset.displayName || asset.id}
      onDelete={() => mutateAsync()}
      onDeleted={onDeleted}
      onClose={onClose}
    >
      Its documents, its index and its subscriptions to webhooks are deleted. Agents that use it no
      longer find its contents.
    </DeleteDialog>
  );
};
