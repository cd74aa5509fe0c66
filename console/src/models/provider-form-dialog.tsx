import { useState } from "react";
import type { LlmProvider } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { ProviderFields } from "./provider-fields.tsx";
import { emptyProviderForm, providerPointers, toProviderForm } from "./provider-form.ts";
import { useSaveProvider } from "./use-providers.ts";

type ProviderFormDialogProps = {
  /** The provider to change; none to create one. */
  provider?: LlmProvider;
  onClose: () => void;
};

/** Creates or changes a provider. */
export const ProviderFormDialog = ({ provider, onClose }: ProviderFormDialogProps) => {
  const [form, setForm] = useState(provider ? toProviderForm(provider) : emptyProviderForm);
  const { mutate, error, isPending } = useSaveProvider(provider?.id);
  return (
    <FormDialog
      title={provider ? `Edit ${provider.displayName}` : "Create provider"}
      action={provider ? "Save" : "Create"}
      error={error}
      shownAt={providerPointers}
      isPending={isPending}
      onSubmit={() => mutate(form, { onSuccess: onClose })}
      onClose={onClose}
    >
      <ProviderFields form={form} onChange={setForm} error={error} isNew={!provider} />
    </FormDialog>
  );
};
