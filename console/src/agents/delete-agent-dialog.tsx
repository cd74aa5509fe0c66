import { useNavigate } from "@tanstack/react-router";
import type { Agent } from "../../../client/openapi.ts";
import { useDeleteAgent } from "../agent-queries/use-agents.ts";
import { useTenant } from "../session/tenant.ts";
import { DeleteDialog } from "../shared/delete-dialog.tsx";

type DeleteAgentDialogProps = { agent: Agent; onClose: () => void };

/** Asks before an agent is deleted. */
export const DeleteAgentDialog = ({ agent, onClose }: DeleteAgentDialogProps) => {
  const tenant = useTenant();
  const navigate = useNavigate();
  const { mutateAsync } = useDeleteAgent(agent.id);
  return (
    <DeleteDialog
      name={agent.displayName}
      onDelete={() => mutateAsync()}
      onDeleted={() => navigate({ to: "/t/$tenant/agents", params: { tenant } })}
      onClose={onClose}
    >
      Its revisions, executions, connectors and schedules are deleted, and its webhook subscriptions
      end immediately.
    </DeleteDialog>
  );
};
