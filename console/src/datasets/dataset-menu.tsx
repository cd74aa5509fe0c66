import { useState } from "react";
import type { Dataset } from "../../../client/openapi.ts";
import { RowMenu } from "../shared/row-menu.tsx";
import { DatasetDialog } from "./dataset-dialog.tsx";
import { DeleteDatasetDialog } from "./delete-dataset-dialog.tsx";

type DatasetMenuProps = {
  dataset: Dataset;
  /** Called when the dataset is deleted, before the dialog closes. */
  onDeleted?: () => void;
};

/** The actions of a dataset, with their dialogs. */
export const DatasetMenu = ({ dataset, onDeleted }: DatasetMenuProps) => {
  const [open, setOpen] = useState<"edit" | "delete">();
  const close = (): void => setOpen(undefined);
  return (
    <>
      <RowMenu
        name={dataset.displayName}
        actions={[
          { label: "Edit", onClick: () => setOpen("edit") },
          { label: "Delete", onClick: () => setOpen("delete"), isDangerous: true },
        ]}
      />
      {open === "edit" && <DatasetDialog dataset={dataset} onSaved={close} onClose={close} />}
      {open === "delete" && (
        <DeleteDatasetDialog dataset={dataset} onDeleted={onDeleted} onClose={close} />
      )}
    </>
  );
};
