import { Text } from "@mantine/core";
import { useState } from "react";
import type { Integration, IntegrationConfig } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { ConfigFields, configPointers } from "./config-fields.tsx";
import { toConfigContent, toConfigForm } from "./config-form.ts";
import { useUpdateConfig } from "./use-configs.ts";

type EditConfigDialogProps = {
  config: IntegrationConfig;
  integration: Integration;
  onClose: () => void;
};

/** Creates the next revision of a config. */
export const EditConfigDialog = ({ config, integration, onClose }: EditConfigDialogProps) => {
  const [form, setForm] = useState(() => toConfigForm(config, integration));
  const { mutate, error, isPending } = useUpdateConfig(config.id);
  const body = { displayName: form.displayName, ...toConfigContent(form) };
  return (
    <FormDialog
      title={`Edit ${config.displayName}`}
      action="Save"
      size="lg"
      error={error}
      shownAt={configPointers(integration)}
      isPending={isPending}
      onSubmit={() => mutate(body, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        Saving creates revision {config.latestRevision + 1}. It is used once it is published.
        Credentials must be entered again when an address changes.
      </Text>
      <ConfigFields
        integration={integration}
        form={form}
        onChange={setForm}
        error={error}
        hasServer={config.exposeMcp}
      />
    </FormDialog>
  );
};
