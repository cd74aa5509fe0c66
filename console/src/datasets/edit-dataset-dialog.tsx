import { useState } from "react";
import type { Dataset } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { DatasetFields } from "./dataset-fields.tsx";
import { datasetPointers, toDatasetForm, toUpdateBody } from "./dataset-form.ts";
import { useUpdateDataset } from "./use-datasets.ts";

type EditDatasetDialogProps = { dataset: Dataset; onClose: () => void };

/** Changes the name, description and input schema of a dataset. */
export const EditDatasetDialog = ({ dataset, onClose }: EditDatasetDialogProps) => {
  const [form, setForm] = useState(toDatasetForm(dataset));
  const { mutate, error, isPending } = useUpdateDataset(dataset.id);
  const body = toUpdateBody(form);
  return (
    <FormDialog
      title={`Edit ${dataset.displayName}`}
      action="Save"
      size="lg"
      error={error}
      shownAt={datasetPointers}
      isPending={isPending}
      onSubmit={() => body && mutate(body, { onSuccess: onClose })}
      onClose={onClose}
    >
      <DatasetFields form={form} onChange={setForm} error={error} />
    </FormDialog>
  );
};
