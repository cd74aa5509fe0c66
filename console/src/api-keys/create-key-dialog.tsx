import { useState } from "react";
import type { GenerateApiKeyBody, IssuedApiKey } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { expiryOf } from "./expiry.ts";
import { KeyFields, type KeyForm, keyPointers } from "./key-fields.tsx";
import { useCreateKey } from "./use-api-keys.ts";

type CreateKeyDialogProps = { onCreated: (issued: IssuedApiKey) => void; onClose: () => void };

/** Creates a key. */
export const CreateKeyDialog = ({ onCreated, onClose }: CreateKeyDialogProps) => {
  const [form, setForm] = useState<KeyForm>({ name: "", scopes: [], date: "" });
  const { mutate, error, isPending } = useCreateKey();
  const { name, scopes } = form;
  const expiresAt = expiryOf(form.date);
  const body: GenerateApiKeyBody = { name, scopes, ...(expiresAt !== null && { expiresAt }) };
  return (
    <FormDialog
      title="New key"
      action="Create"
      size="lg"
      error={error}
      shownAt={keyPointers}
      isPending={isPending}
      onSubmit={() => mutate(body, { onSuccess: onCreated })}
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
