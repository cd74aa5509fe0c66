import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Connector } from "../../../client/openapi.ts";
import { useTenant } from "../session/tenant.ts";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { Time } from "../shared/time.tsx";
import { ConnectorDialog, ConnectorMenu, type OpenConnectorDialog } from "./connector-dialog.tsx";
import { chatProviderLabel } from "./providers.ts";
import { useConnectors } from "./use-connectors.ts";

type ConnectorListProps = {
  /** Lists the connectors of this agent only; undefined for all agents. */
  agent: string | undefined;
  /** Whether the list is of this agent alone, so that its name is neither shown nor asked for. */
  isOfAgent?: boolean;
  /** Shown for an empty list. */
  empty: ReactNode;
  open: OpenConnectorDialog | undefined;
  onOpen: (open: OpenConnectorDialog | undefined) => void;
};

const buildColumns = (tenant: string, isOfAgent: boolean): Column<Connector>[] => [
  {
    header: "Name",
    cell: ({ id, name, agentId }) => (
      <Anchor component={Link} to={`/t/${tenant}/connectors/${agentId}/${id}`}>
        {name}
      </Anchor>
    ),
  },
  ...(isOfAgent ? [] : [{ header: "Agent", cell: ({ agentId }: Connector) => agentId }]),
  { header: "Provider", isSecondary: true, cell: ({ provider }) => chatProviderLabel(provider) },
  { header: "Policy", isSecondary: !isOfAgent, cell: ({ policy }) => policy },
  {
    header: "Status",
    cell: ({ active }) => (
      <StatusBadge status={active ? "Active" : "Inactive"} kind={active ? "good" : "idle"} />
    ),
  },
  { header: "Created", isSecondary: true, cell: ({ createdAt }) => <Time value={createdAt} /> },
];

/** Lists connectors, with their actions and the dialog that is open. */
export const ConnectorList = (props: ConnectorListProps) => {
  const { agent, isOfAgent = false, empty, open, onOpen } = props;
  const tenant = useTenant();
  const list = useConnectors(agent);
  return (
    <>
      <ResourceTable
        label="Connectors"
        list={list}
        getId={({ id }) => id}
        columns={buildColumns(tenant, isOfAgent)}
        actions={(connector) => <ConnectorMenu connector={connector} onOpen={onOpen} />}
        empty={empty}
      />
      <ConnectorDialog
        open={open}
        agent={agent}
        isOfAgent={isOfAgent}
        onOpen={onOpen}
        onClose={() => onOpen(undefined)}
      />
    </>
  );
};
