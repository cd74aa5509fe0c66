import { Text } from "@mantine/core";
import type { Connector } from "../../../client/openapi.ts";
import { useMayAt } from "../agent-queries/use-may-at.ts";
import { InboundAddress } from "../shared/inbound-address.tsx";
import { type RowAction, RowMenu } from "../shared/row-menu.tsx";
import { ShownOnceDialog } from "../shared/shown-once-dialog.tsx";
import { ConnectorTestResult } from "./connector-test-result.tsx";
import { CreateConnectorDialog } from "./create-connector-dialog.tsx";
import { DeleteConnectorDialog } from "./delete-connector-dialog.tsx";
import { EditConnectorDialog } from "./edit-connector-dialog.tsx";
import { TestConnectorDialog } from "./test-connector-dialog.tsx";

/** A dialog about a connector. */
export type OpenConnectorDialog =
  | { type: "create" }
  | { type: "created" | "edit" | "test" | "delete"; connector: Connector };

type ConnectorDialogProps = {
  open: OpenConnectorDialog | undefined;
  /** The agent that a new connector is made for, if it is known. */
  agent?: string | undefined;
  /** Whether a new connector can be of this agent alone. */
  isOfAgent?: boolean;
  onOpen: (open: OpenConnectorDialog) => void;
  onDeleted?: () => void;
  onClose: () => void;
};

/** The dialog that is open. */
export const ConnectorDialog = (props: ConnectorDialogProps) => {
  const { open, agent, isOfAgent = false, onOpen, onDeleted, onClose } = props;
  switch (open?.type) {
    case "create":
      return (
        <CreateConnectorDialog
          agent={agent}
          isOfAgent={isOfAgent}
          onCreated={(connector) => onOpen({ type: "created", connector })}
          onClose={onClose}
        />
      );
    case "created":
      return <CreatedConnectorDialog connector={open.connector} onClose={onClose} />;
    case "edit":
      return <EditConnectorDialog connector={open.connector} onClose={onClose} />;
    case "test":
      return <TestConnectorDialog connector={open.connector} onClose={onClose} />;
    case "delete":
      return (
        <DeleteConnectorDialog connector={open.connector} onDeleted={onDeleted} onClose={onClose} />
      );
    default:
      return null;
  }
};

type CreatedConnectorDialogProps = { connector: Connector; onClose: () => void };

/** Checks the credentials of a new connector, shows its address, and makes a key for it, which is shown once. */
const CreatedConnectorDialog = ({ connector, onClose }: CreatedConnectorDialogProps) => {
  const mayTest = useMayAt(connector.agentId)("connectors:test");
  return (
    <ShownOnceDialog title={connector.name} onClose={onClose}>
      {mayTest && <ConnectorTestResult connector={connector} />}
      <Text>Enter the address, with a key, in the settings of the provider.</Text>
      <InboundAddress url={connector.webhookUrl} keyName={`Connector ${connector.name}`} />
    </ShownOnceDialog>
  );
};

type ConnectorMenuProps = {
  connector: Connector;
  onOpen: (open: OpenConnectorDialog) => void;
};

/** The menu of a connector, with the actions that the user may do at its agent. */
export const ConnectorMenu = ({ connector, onOpen }: ConnectorMenuProps) => {
  const mayAt = useMayAt(connector.agentId);
  const mayWrite = mayAt("connectors:write");
  const on = (type: "edit" | "test" | "delete") => () => onOpen({ type, connector });
  const actions: RowAction[] = [
    ...(mayAt("connectors:test") ? [{ label: "Test", onClick: on("test") }] : []),
    ...(mayWrite ? [{ label: "Edit", onClick: on("edit") }] : []),
    ...(mayWrite ? [{ label: "Delete", onClick: on("delete"), isDangerous: true }] : []),
  ];
  return <RowMenu name={connector.name} actions={actions} />;
};
