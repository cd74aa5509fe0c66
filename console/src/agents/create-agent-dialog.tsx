import { TextInput } from "@mantine/core";
import { useState } from "react";
import type { Agent } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { fieldError } from "../shared/problem.ts";
import { AgentFields, type AgentForm } from "./agent-fields.tsx";
import { useCreateAgent } from "./use-agents.ts";

type CreateAgentDialogProps = { onCreated: (agent: Agent) => void; onClose: () => void };

/** Creates an agent. */
export const CreateAgentDialog = ({ onCreated, onClose }: CreateAgentDialogProps) => {
  const [form, setForm] = useState<AgentForm>({ displayName: "", description: "" });
  const [id, setId] = useState("");
  const { mutate, error, isPending } = useCreateAgent();
  const body = {
    displayName: form.displayName,
    ...(id !== "" && { id }),
    ...(form.description !== "" && { description: form.description }),
  };
  return (
    <FormDialog
      title="Create agent"
      action="Create"
      error={error}
      shownAt={["/displayName", "/id", "/description"]}
      isPending={isPending}
      onSubmit={() => mutate(body, { onSuccess: onCreated })}
      onClose={onClose}
    >
      <AgentFields
        form={form}
        onChange={(changed) => setForm({ ...form, ...changed })}
        error={error}
      >
        <TextInput
          label="ID"
          description="Used in addresses of the API. Made by the service, if empty."
          value={id}
          onChange={({ currentTarget }) => setId(currentTarget.value)}
          error={fieldError(error, "/id")}
        />
      </AgentFields>
    </FormDialog>
  );
};
