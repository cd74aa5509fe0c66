import { Text } from "@mantine/core";
import type { IntegrationConfig } from "../../../client/openapi.ts";
import { ConfirmDialog } from "../shared/confirm-dialog.tsx";
import { useDeleteConfig } from "./use-configs.ts";

type DeleteConfigDialogProps = {
  config: IntegrationConfig;
  onDeleted?: () => void;
  onClose: () => void;
};

/** Asks before a config is deleted. */
export const DeleteConfigDialog = ({ config, onDeleted, onClose }: DeleteConfigDialogProps) => {
  const { mutateAsync } = useDeleteConfig(config.id);
  const remove = async (): Promise<void> => {
    await mutateAsync();
    onDeleted?.();
  };
  return (
    <ConfirmDialog
      title={`Delete ${config.displayName}?`}
      action="Delete"
      isDangerous
      onConfirm={remove}
      onClose={onClose}
    >
      <Text>
        Its revisions and credentials are deleted, and the key of its MCP server is revoked. Steps
        that use it fail from now on.
      </Text>
    </ConfirmDialog>
  );
};
