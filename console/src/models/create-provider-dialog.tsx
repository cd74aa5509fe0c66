import { useState } from "react";
import { FormDialog } from "../shared/form-dialog.tsx";
import { ProviderFields } from "./provider-fields.tsx";
import { emptyProviderForm, providerPointers, toCreateBody } from "./provider-form.ts";
import { useCreateProvider } from "./use-providers.ts";

/** Creates a provider. */
export const CreateProviderDialog = ({ onClose }: { onClose: () => void }) => {
  const [form, setForm] = useState(emptyProviderForm);
  const { mutate, error, isPending } = useCreateProvider();
  return (
    <FormDialog
      title="Create provider"
      action="Create"
      error={error}
      shownAt={providerPointers}
      isPending={isPending}
      onSubmit={() => mutate(toCreateBody(form), { onSuccess: onClose })}
      onClose={onClose}
    >
      <ProviderFields form={form} onChange={setForm} error={error} isNew />
    </FormDialog>
  );
};
