import type { Connector } from "../../../client/openapi.ts";
import { DeleteDialog } from "../shared/delete-dialog.tsx";
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
    <DeleteDialog
      name={connector.name}
      onDelete={() => mutateAsync()}
      onDeleted={onDeleted}
      onClose={onClose}
    >
      Messages to it are refused immediately. Its subscriptions, chat users with the files of their
      messages, pending access requests and conversations are deleted.
    </DeleteDialog>
  );
};
