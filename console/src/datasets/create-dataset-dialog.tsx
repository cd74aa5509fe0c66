import { useState } from "react";
import type { Dataset } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { DatasetFields } from "./dataset-fields.tsx";
import { datasetPointers, emptyDatasetForm, toCreateBody } from "./dataset-form.ts";
import { useCreateDataset } from "./use-datasets.ts";

type CreateDatasetDialogProps = { onCreated: (dataset: Dataset) => void; onClose: () => void };

/** Creates a dataset. */
export const CreateDatasetDialog = ({ onCreated, onClose }: CreateDatasetDialogProps) => {
  const [form, setForm] = useState(emptyDatasetForm);
  const { mutate, error, isPending } = useCreateDataset();
  const body = toCreateBody(form);
  return (
    <FormDialog
      title="Create dataset"
      action="Create"
      size="lg"
      error={error}
      shownAt={datasetPointers}
      isPending={isPending}
      onSubmit={() => body && mutate(body, { onSuccess: onCreated })}
      onClose={onClose}
    >
      <DatasetFields form={form} onChange={setForm} error={error} isNew />
    </FormDialog>
  );
};
