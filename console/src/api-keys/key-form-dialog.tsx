import { useState } from "react";
import type { ApiKey, IssuedApiKey } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { toDate, toExpiry } from "./expiry.ts";
import { KeyFields, type KeyForm, keyPointers } from "./key-fields.tsx";
import { useCreateKey, useUpdateKey } from "./use-api-keys.ts";

type CreateKeyDialogProps = { onCreated: (issued: IssuedApiKey) => void; onClose: () => void };

/** Creates a key. */
export const CreateKeyDialog = ({ onCreated, onClose }: CreateKeyDialogProps) => {
  const saving = useCreateKey();
  return (
    <KeyFormDialog
      title="New key"
      action="Create"
      start={{ name: "", scopes: [], date: "" }}
      saving={saving}
      onSubmit={({ name, scopes, date }) => {
        const expiresAt = toExpiry(date);
        const body = { name, scopes, ...(expiresAt !== null && { expiresAt }) };
        saving.mutate(body, { onSuccess: onCreated });
      }}
      onClose={onClose}
    />
  );
};

type EditKeyDialogProps = { apiKey: ApiKey; onClose: () => void };

/** Changes name, scopes and expiry of a key. */
export const EditKeyDialog = ({ apiKey, onClose }: EditKeyDialogProps) => {
  const saving = useUpdateKey(apiKey.id);
  const date = toDate(apiKey.expiresAt);
  return (
    <KeyFormDialog
      title={`Edit ${apiKey.name}`}
      action="Save"
      start={{ name: apiKey.name, scopes: apiKey.scopes, date }}
      saving={saving}
      onSubmit={({ name, scopes, ...form }) => {
        const expiry = form.date !== date && { expiresAt: toExpiry(form.date) };
        saving.mutate({ name, scopes, ...expiry }, { onSuccess: onClose });
      }}
      onClose={onClose}
    />
  );
};

type KeyFormDialogProps = {
  title: string;
  action: string;
  start: KeyForm;
  saving: { error: unknown; isPending: boolean };
  onSubmit: (form: KeyForm) => void;
  onClose: () => void;
};

const KeyFormDialog = ({ start, saving, onSubmit, ...frame }: KeyFormDialogProps) => {
  const [form, setForm] = useState(start);
  const { error, isPending } = saving;
  return (
    <FormDialog
      {...frame}
      size="lg"
      error={error}
      shownAt={keyPointers}
      isPending={isPending}
      onSubmit={() => onSubmit(form)}
    >
      <KeyFields
        form={form}
        onChange={(changed) => setForm({ ...form, ...changed })}
        error={error}
      />
    </FormDialog>
  );
};
