import { Text } from "@mantine/core";
import type { Connector } from "../../../client/openapi.ts";
import { ConfirmDialog } from "../shared/confirm-dialog.tsx";
import { useDeleteConnector } from "./use-connectors.ts";

type DeleteConnectorDialogProps = {
  connector: Connector;
  onDeleted?: (() => void) | undefined;
  onClose: () => void;
};

/** Asks before a connector is deleted. */
export const DeleteConnectorDialog = (props: DeleteConnectorDialogProps) => {
  const { connector, onDeleted, onClose } = props;
  const { mutateAsync } = useDeleteConnector(connector);
  return (
    <ConfirmDialog
      title={`Delete ${connector.name}?`}
      action="Delete"
      isDangerous
      onConfirm={async () => {
        await mutateAsync();
        onDeleted?.();
      }}
      onClose={onClose}
    >
      <Text>
        Messages to it are refused at once. Its subscriptions, chat users, pending access requests
        and conversations are deleted.
      </Text>
    </ConfirmDialog>
  );
};
