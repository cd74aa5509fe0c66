import { Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Agent } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { fieldError } from "../shared/problem.ts";
import { useUpdateAgent } from "./use-agents.ts";

type EditAgentDialogProps = { agent: Agent; onClose: () => void };

/** Changes the name and description of an agent. */
export const EditAgentDialog = ({ agent, onClose }: EditAgentDialogProps) => {
  const [displayName, setDisplayName] = useState(agent.displayName);
  const [description, setDescription] = useState(agent.description ?? "");
  const { mutate, error, isPending } = useUpdateAgent(agent.id);
  const body = { displayName, description: description === "" ? null : description };
  return (
    <FormDialog
      title={`Edit ${agent.displayName}`}
      action="Save"
      error={error}
      shownAt={["/displayName", "/description"]}
      isPending={isPending}
      onSubmit={() => mutate(body, { onSuccess: onClose })}
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
