import { TextInput } from "@mantine/core";
import { useState } from "react";
import type { GenerateApiKeyBody, IssuedApiKey } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { fieldError } from "../shared/problem.ts";
import { ExpiresField } from "./expires-field.tsx";
import { expiryOf } from "./expiry.ts";
import { ScopeFields } from "./scope-fields.tsx";
import { useCreateKey } from "./use-api-keys.ts";

type CreateKeyDialogProps = { onCreated: (issued: IssuedApiKey) => void; onClose: () => void };

/** Creates a key. */
export const CreateKeyDialog = ({ onCreated, onClose }: CreateKeyDialogProps) => {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<string[]>([]);
  const [date, setDate] = useState("");
  const { mutate, error, isPending } = useCreateKey();
  const expiresAt = expiryOf(date);
  const body: GenerateApiKeyBody = { name, scopes, ...(expiresAt !== null && { expiresAt }) };
  return (
    <FormDialog
      title="New key"
      action="Create"
      size="lg"
      error={error}
      shownAt={["/name", "/scopes", "/expiresAt"]}
      isPending={isPending}
      onSubmit={() => mutate(body, { onSuccess: onCreated })}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="Where the key is used, such as “Production runner”."
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
