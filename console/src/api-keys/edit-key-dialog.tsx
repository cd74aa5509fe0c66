import { TextInput } from "@mantine/core";
import { useState } from "react";
import type { ApiKey, UpdateApiKeyBody } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { fieldError } from "../shared/problem.ts";
import { ExpiresField } from "./expires-field.tsx";
import { dateOf, expiryOf } from "./expiry.ts";
import { ScopeFields } from "./scope-fields.tsx";
import { useUpdateKey } from "./use-api-keys.ts";

type EditKeyDialogProps = { apiKey: ApiKey; onClose: () => void };

/** Changes name, scopes and expiry of a key. */
export const EditKeyDialog = ({ apiKey, onClose }: EditKeyDialogProps) => {
  const [name, setName] = useState(apiKey.name);
  const [scopes, setScopes] = useState<string[]>(apiKey.scopes);
  const [date, setDate] = useState(dateOf(apiKey.expiresAt));
  const { mutate, error, isPending } = useUpdateKey(apiKey.id);
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
      shownAt={["/name", "/scopes", "/expiresAt"]}
      isPending={isPending}
      onSubmit={() => mutate(body, { onSuccess: onClose })}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        required
        withAsterisk={false}
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={fieldError(error, "/name")}
      />
      <ScopeFields scopes={scopes} onChange={setScopes} error={fieldError(error, "/scopes")} />
      <ExpiresField date={date} onChange={setDate} error={fieldError(error, "/expiresAt")} />
    </FormDialog>
  );
};
