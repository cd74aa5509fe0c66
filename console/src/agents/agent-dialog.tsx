import { Textarea } from "@mantine/core";
import { useState } from "react";
import type { Agent } from "../../../client/openapi.ts";
import { useSaveAgent } from "../agent-queries/use-agents.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { NameFields } from "../shared/name-fields.tsx";
import { textField } from "../shared/text-field.ts";

type AgentDialogProps = {
  /** The agent to change; none to create one. */
  agent?: Agent;
  onSaved: (agent: Agent) => void;
  onClose: () => void;
};

/** Creates an agent, or changes its name and description. */
export const AgentDialog = ({ agent, onSaved, onClose }: AgentDialogProps) => {
  const [form, setForm] = useState({
    displayName: agent?.displayName ?? "",
    id: agent?.id ?? "",
    description: agent?.description ?? "",
  });
  const { mutate, error, isPending } = useSaveAgent(agent?.id);
  const state = { form, onChange: setForm, error };
  const { id, displayName, description } = form;
  const body = {
    displayName,
    description: description === "" ? null : description,
    ...(id !== "" && { id }),
  };
  return (
    <FormDialog
      title={agent ? `Edit ${agent.displayName}` : "Create agent"}
      action={agent ? "Save" : "Create"}
      error={error}
      shownAt={["/displayName", "/id", "/description"]}
      isPending={isPending}
      onSubmit={() => mutate(body, { onSuccess: onSaved })}
      onClose={onClose}
    >
      <NameFields
        {...state}
        isNew={!agent}
        idUse="Used in addresses of the API, such as /agents/support."
      />
      <Textarea label="Description" autosize minRows={2} {...textField(state, "description")} />
    </FormDialog>
  );
};
