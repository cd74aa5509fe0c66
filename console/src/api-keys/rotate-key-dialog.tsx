import { NativeSelect, Text } from "@mantine/core";
import { useState } from "react";
import type { ApiKey, IssuedApiKey } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { fieldError } from "../shared/problem.ts";
import { useRotateKey } from "./use-api-keys.ts";

type RotateKeyDialogProps = {
  apiKey: ApiKey;
  onRotated: (issued: IssuedApiKey) => void;
  onClose: () => void;
};

const gracePeriods = [
  { value: "3600", label: "1 hour" },
  { value: "86400", label: "1 day" },
  { value: "604800", label: "7 days" },
  { value: "0", label: "None: it stops working immediately" },
];

/** Replaces the secret of a key. */
export const RotateKeyDialog = ({ apiKey, onRotated, onClose }: RotateKeyDialogProps) => {
  const [grace, setGrace] = useState("86400");
  const { mutate, error, isPending } = useRotateKey(apiKey.id);
  return (
    <FormDialog
      title={`Rotate ${apiKey.name}`}
      action="Rotate"
      error={error}
      shownAt={["/graceSeconds"]}
      isPending={isPending}
      onSubmit={() => mutate({ graceSeconds: Number(grace) }, { onSuccess: onRotated })}
      onClose={onClose}
    >
      <Text>The key gets a new secret, which is shown once. Name, scopes and expiry stay.</Text>
      <NativeSelect
        label="Grace period"
        description="How long the old secret still works."
        data={gracePeriods}
        value={grace}
        onChange={({ currentTarget }) => setGrace(currentTarget.value)}
        error={fieldError(error, "/graceSeconds")}
      />
    </FormDialog>
  );
};
