import { Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Agent } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { fieldError } from "../shared/problem.ts";
import { useCreateAgent } from "./use-agents.ts";

type CreateAgentDialogProps = { onCreated: (agent: Agent) => void; onClose: () => void };

/** Creates an agent. */
export const CreateAgentDialog = ({ onCreated, onClose }: CreateAgentDialogProps) => {
  const [displayName, setDisplayName] = useState("");
  const [id, setId] = useState("");
  const [description, setDescription] = useState("");
  const { mutate, error, isPending } = useCreateAgent();
  const body = {
    displayName,
    ...(id !== "" && { id }),
    ...(description !== "" && { description }),
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
      <TextInput
        label="Name"
        required
        withAsterisk={false}
        data-autofocus
        value={displayName}
        onChange={({ currentTarget }) => setDisplayName(currentTarget.value)}
        error={fieldError(error, "/displayName")}
      />
      <TextInput
        label="ID"
        description="Used in addresses of the API. Made by the service, if empty."
        value={id}
        onChange={({ currentTarget }) => setId(currentTarget.value)}
        error={fieldError(error, "/id")}
      />
      <Textarea
        label="Description"
        autosize
        minRows={2}
        value={description}
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        error={fieldError(error, "/description")}
      />
    </FormDialog>
  );
};
