import { Text } from "@mantine/core";
import type { Asset } from "../../../client/openapi.ts";
import { ConfirmDialog } from "../shared/confirm-dialog.tsx";
import { useDeleteAsset } from "./use-assets.ts";

type DeleteAssetDialogProps = {
  asset: Asset;
  onDeleted?: (() => void) | undefined;
  onClose: () => void;
};

/** Asks before an asset is deleted. */
export const DeleteAssetDialog = ({ asset, onDeleted, onClose }: DeleteAssetDialogProps) => {
  const { mutateAsync } = useDeleteAsset(asset.id);
  return (
    <ConfirmDialog
      title={`Delete ${asset.displayName || asset.id}?`}
      action="Delete"
      isDangerous
      onConfirm={async () => {
        await mutateAsync();
        onDeleted?.();
      }}
      onClose={onClose}
    >
      <Text>
        Its documents, its index and its subscriptions to webhooks are deleted. Agents that name it
        find nothing in it from now on.
      </Text>
    </ConfirmDialog>
  );
};
