import { useState } from "react";
import type { Agent } from "../../../client/openapi.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { AgentFields, type AgentForm } from "./agent-fields.tsx";
import { useUpdateAgent } from "./use-agents.ts";

type EditAgentDialogProps = { agent: Agent; onClose: () => void };

/** Changes the name and description of an agent. */
export const EditAgentDialog = ({ agent, onClose }: EditAgentDialogProps) => {
  const [form, setForm] = useState<AgentForm>({
    displayName: agent.displayName,
    description: agent.description ?? "",
  });
  const { mutate, error, isPending } = useUpdateAgent(agent.id);
  const body = { ...form, description: form.description === "" ? null : form.description };
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
      <AgentFields
        form={form}
        onChange={(changed) => setForm({ ...form, ...changed })}
        error={error}
      />
    </FormDialog>
  );
};
