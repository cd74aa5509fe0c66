import type { IntegrationConfig } from "../../../client/openapi.ts";
import { DeleteDialog } from "../shared/delete-dialog.tsx";
import { useDeleteConfig } from "./use-configs.ts";

type DeleteConfigDialogProps = {
  config: IntegrationConfig;
  onDeleted?: () => void;
  onClose: () => void;
};

/** Asks before a config is deleted. */
export const DeleteConfigDialog = ({ config, onDeleted, onClose }: DeleteConfigDialogProps) => {
  const { mutateAsync } = useDeleteConfig(config.id);
  return (
    <DeleteDialog
      name={config.displayName}
      onDelete={() => mutateAsync()}
      onDeleted={onDeleted}
      onClose={onClose}
    >
      Its revisions and credentials are deleted, and the key of its MCP server is revoked. Steps
      that use the config fail from now on.
    </DeleteDialog>
  );
};
