import { Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { Agent } from "../../../client/openapi.ts";
import { useTenant } from "../app/tenant.ts";
import { ConfirmDialog } from "../shared/confirm-dialog.tsx";
import { useDeleteAgent } from "./use-agents.ts";

type DeleteAgentDialogProps = { agent: Agent; onClose: () => void };

/** Asks before an agent is deleted. */
export const DeleteAgentDialog = ({ agent, onClose }: DeleteAgentDialogProps) => {
  const tenant = useTenant();
  const navigate = useNavigate();
  const { mutateAsync } = useDeleteAgent(agent.id);
  const remove = async (): Promise<void> => {
    await mutateAsync();
    await navigate({ to: "/t/$tenant/agents", params: { tenant } });
  };
  return (
    <ConfirmDialog
      title={`Delete ${agent.displayName}?`}
      action="Delete"
      isDangerous
      onConfirm={remove}
      onClose={onClose}
    >
      <Text>
        Its revisions, executions, connectors and schedules are deleted, and its webhook
        subscriptions end at once.
      </Text>
    </ConfirmDialog>
  );
};
