import { Checkbox } from "@mantine/core";
import { useState } from "react";
import type { Integration, IntegrationConfig } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { ConfigFields, configPointers } from "./config-fields.tsx";
import { emptyConfigForm, toConfigContent } from "./config-form.ts";
import { McpKeyDialog } from "./mcp-key-dialog.tsx";
import { useCreateConfig } from "./use-configs.ts";

type CreateConfigDialogProps = {
  integration: Integration;
  onCreated: (config: IntegrationConfig) => void;
  onClose: () => void;
};

/** Creates a config of an integration, and publishes it, so that flows can use it. */
export const CreateConfigDialog = ({
  integration,
  onCreated,
  onClose,
}: CreateConfigDialogProps) => {
  const [form, setForm] = useState(emptyConfigForm);
  const [isPublished, setIsPublished] = useState(true);
  const [exposeMcp, setExposeMcp] = useState(false);
  const { mutate, data: issued, error, isPending } = useCreateConfig();
  const body = {
    integrationId: integration.id,
    ...(form.displayName !== "" && { displayName: form.displayName }),
    ...toConfigContent(form),
    exposeMcp,
  };
  const open = (config: IntegrationConfig): void => {
    if (typeof config.mcpKey?.key !== "string") onCreated(config);
  };
  if (typeof issued?.mcpKey?.key === "string") {
    return (
      <McpKeyDialog
        name={issued.displayName}
        mcpKey={issued.mcpKey.key}
        onClose={() => onCreated(issued)}
      />
    );
  }
  return (
    <FormDialog
      title={`Add ${integration.displayName}`}
      action="Create"
      size="lg"
      error={error}
      shownAt={configPointers(integration)}
      isPending={isPending}
      onSubmit={() => mutate({ body, isPublished }, { onSuccess: open })}
      onClose={onClose}
    >
      <ConfigFields
        integration={integration}
        form={form}
        onChange={setForm}
        error={error}
        hasServer={exposeMcp}
      />
      {integration.hasTools && (
        <Checkbox
          label="Offer its tools as an MCP server"
          description="With a key of its own, which is shown once."
          checked={exposeMcp}
          onChange={({ currentTarget }) => setExposeMcp(currentTarget.checked)}
        />
      )}
      <Checkbox
        label="Publish"
        description="Only published revisions are used."
        checked={isPublished}
        onChange={({ currentTarget }) => setIsPublished(currentTarget.checked)}
      />
    </FormDialog>
  );
};
