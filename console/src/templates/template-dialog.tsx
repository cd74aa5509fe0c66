import { Alert, List, NativeSelect, Switch, Text } from "@mantine/core";
import { useState } from "react";
import { ModelField } from "../models/model-field.tsx";
import { useProviders } from "../models/use-providers.ts";
import { useMay } from "../session/permissions.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { JsonView } from "../shared/json-view.tsx";
import { NameFields } from "../shared/name-fields.tsx";
import type { NamedTemplate } from "./template-file.ts";
import { type NewAgent, useCreateFromTemplate } from "./use-create-from-template.ts";

type TemplateDialogProps = {
  named: NamedTemplate;
  mayCreate: boolean;
  onCreated: (agent: string) => void;
  onClose: () => void;
};

/** Shows a template, and creates an agent from it. */
export const TemplateDialog = ({ named, mayCreate, onCreated, onClose }: TemplateDialogProps) => {
  const { agent, template } = named;
  const may = useMay();
  const { items: providers } = useProviders();
  // The first provider with an account.
  const own = providers.find(({ id }) => id !== "echo")?.id;
  const [form, setForm] = useState<NewAgent>({
    displayName: agent.displayName,
    id: "",
    providerId: "",
    model: "",
    isDeployed: false,
  });
  const providerId = form.providerId || own || "echo";
  const { mutate, error, isPending } = useCreateFromTemplate(named);
  const change = (part: Partial<NewAgent>): void => setForm({ ...form, ...part });
  return (
    <FormDialog
      title={agent.displayName}
      action="Create agent"
      size="lg"
      error={error}
      shownAt={["/displayName", "/id"]}
      isPending={isPending}
      isReady={mayCreate}
      onSubmit={() => mutate({ ...form, providerId }, { onSuccess: ({ id }) => onCreated(id) })}
      onClose={onClose}
    >
      <Text>{agent.description}</Text>
      <Text size="sm">Needs: {template.needs}.</Text>
      <JsonView label="Sample input" value={template.input} maxHeight={160} />
      {mayCreate ? (
        <>
          <NameFields
            form={form}
            onChange={setForm}
            error={error}
            isNew
            idUse="Used in addresses of the API."
          />
          <NativeSelect
            label="Model provider"
            data={[
              ...providers.map(({ id, displayName }) => ({ value: id, label: displayName })),
              ...(providers.some(({ id }) => id === "echo") ? [] : ["echo"]),
            ]}
            value={providerId}
            onChange={({ currentTarget }) => change({ providerId: currentTarget.value, model: "" })}
          />
          {providerId !== "echo" && (
            <ModelField
              label="Model"
              description="If empty, the default model of the provider."
              providerId={providerId}
              value={form.model}
              onChange={(model) => change({ model })}
            />
          )}
          {may("revisions:deploy") && (
            <Switch
              label="Deploy the agent"
              description="A deployed agent can be called by programs, chats and schedules."
              checked={form.isDeployed}
              onChange={({ currentTarget }) => change({ isDeployed: currentTarget.checked })}
            />
          )}
        </>
      ) : (
        <Alert variant="outline">
          You may not create agents. Ask an administrator of your organization for another role.
        </Alert>
      )}
      <Text size="sm" fw={600}>
        Afterwards
      </Text>
      <List size="sm">
        {template.next.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
    </FormDialog>
  );
};
