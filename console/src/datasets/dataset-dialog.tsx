import { useState } from "react";
import type { Dataset } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { DatasetFields } from "./dataset-fields.tsx";
import { datasetPointers, emptyDatasetForm, toDatasetBody, toDatasetForm } from "./dataset-form.ts";
import { useSaveDataset } from "./use-datasets.ts";

type DatasetDialogProps = {
  /** The dataset to change; none to create one. */
  dataset?: Dataset;
  onSaved: (dataset: Dataset) => void;
  onClose: () => void;
};

/** Creates a dataset, or changes its name, description and input schema. */
export const DatasetDialog = ({ dataset, onSaved, onClose }: DatasetDialogProps) => {
  const [form, setForm] = useState(dataset ? toDatasetForm(dataset) : emptyDatasetForm);
  const { mutate, error, isPending } = useSaveDataset(dataset?.id);
  const body = toDatasetBody(form);
  return (
    <FormDialog
      title={dataset ? `Edit ${dataset.displayName}` : "Create dataset"}
      action={dataset ? "Save" : "Create"}
      size="lg"
      error={error}
      shownAt={datasetPointers}
      isPending={isPending}
      onSubmit={() => body && mutate(body, { onSuccess: onSaved })}
      onClose={onClose}
    >
      <DatasetFields form={form} onChange={setForm} error={error} isNew={!dataset} />
    </FormDialog>
  );
};
