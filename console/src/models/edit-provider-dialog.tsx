import { useState } from "react";
import type { LlmProvider } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { ProviderFields } from "./provider-fields.tsx";
import { providerPointers, toProviderForm, toUpdateBody } from "./provider-form.ts";
import { useUpdateProvider } from "./use-providers.ts";

type EditProviderDialogProps = { provider: LlmProvider; onClose: () => void };

/** Changes a provider. */
export const EditProviderDialog = ({ provider, onClose }: EditProviderDialogProps) => {
  const [form, setForm] = useState(() => toProviderForm(provider));
  const { mutate, error, isPending } = useUpdateProvider(provider.id);
  return (
    <FormDialog
      title={`Edit ${provider.displayName}`}
      action="Save"
      error={error}
      shownAt={providerPointers}
      isPending={isPending}
      onSubmit={() => mutate(toUpdateBody(form), { onSuccess: onClose })}
      onClose={onClose}
    >
      <ProviderFields form={form} onChange={setForm} error={error} isNew={false} />
    </FormDialog>
  );
};
