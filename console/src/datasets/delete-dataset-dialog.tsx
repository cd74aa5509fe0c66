import { Text } from "@mantine/core";
import type { Dataset } from "../../../client/openapi.ts";
import { ConfirmDialog } from "../shared/confirm-dialog.tsx";
import { useDeleteDataset } from "./use-datasets.ts";

type DeleteDatasetDialogProps = {
  dataset: Dataset;
  onDeleted?: (() => void) | undefined;
  onClose: () => void;
};

/** Asks before a dataset is deleted. */
export const DeleteDatasetDialog = ({ dataset, onDeleted, onClose }: DeleteDatasetDialogProps) => {
  const { mutateAsync } = useDeleteDataset(dataset.id);
  return (
    <ConfirmDialog
      title={`Delete ${dataset.displayName}?`}
      action="Delete"
      isDangerous
      onConfirm={async () => {
        await mutateAsync();
        onDeleted?.();
      }}
      onClose={onClose}
    >
      <Text>All versions of its examples are deleted. Experiments keep their results.</Text>
    </ConfirmDialog>
  );
};
