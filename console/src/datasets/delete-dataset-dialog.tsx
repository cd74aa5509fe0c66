import type { Dataset } from "../../../client/openapi.ts";
import { DeleteDialog } from "../shared/delete-dialog.tsx";
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
    <DeleteDialog
      name={dataset.displayName}
      onDelete={() => mutateAsync()}
      onDeleted={onDeleted}
      onClose={onClose}
    >
      All versions of its examples are deleted. Experiments keep their results.
    </DeleteDialog>
  );
};
