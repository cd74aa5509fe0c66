import { useState } from "react";
import type { ApiKey, UpdateApiKeyBody } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { dateOf, expiryOf } from "./expiry.ts";
import { KeyFields, type KeyForm, keyPointers } from "./key-fields.tsx";
import { useUpdateKey } from "./use-api-keys.ts";

type EditKeyDialogProps = { apiKey: ApiKey; onClose: () => void };

/** Changes name, scopes and expiry of a key. */
export const EditKeyDialog = ({ apiKey, onClose }: EditKeyDialogProps) => {
  const [form, setForm] = useState<KeyForm>({
    name: apiKey.name,
    scopes: apiKey.scopes,
    date: dateOf(apiKey.expiresAt),
  });
  const { mutate, error, isPending } = useUpdateKey(apiKey.id);
  const { name, scopes, date } = form;
  const body: UpdateApiKeyBody = {
    name,
    scopes,
    ...(date !== dateOf(apiKey.expiresAt) && { expiresAt: expiryOf(date) }),
  };
  return (
    <FormDialog
      title={`Edit ${apiKey.name}`}
      action="Save"
      size="lg"
      error={error}
      shownAt={keyPointers}
      isPending={isPending}
      onSubmit={() => mutate(body, { onSuccess: onClose })}
      onClose={onClose}
    >
      <KeyFields
        form={form}
        onChange={(changed) => setForm({ ...form, ...changed })}
        error={error}
      />
    </FormDialog>
  );
};
