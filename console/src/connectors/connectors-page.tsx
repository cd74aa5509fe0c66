import { Anchor, Button } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Connector } from "../../../client/openapi.ts";
import { AgentSelect } from "../agents/agent-select.tsx";
import { useTenant } from "../app/tenant.ts";
import { useMay } from "../session/permissions.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { Page } from "../shared/page.tsx";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { RowMenu } from "../shared/row-menu.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { Time } from "../shared/time.tsx";
import {
  ConnectorDialog,
  connectorActions,
  type OpenConnectorDialog,
} from "./connector-dialog.tsx";
import { chatProviderLabel } from "./providers.ts";
import { useConnectors } from "./use-connectors.ts";

const route = getRouteApi("/t/$tenant/connectors");

const columnsOf = (tenant: string): Column<Connector>[] => [
  {
    header: "Name",
    cell: ({ id, name, agentId }) => (
      <Anchor component={Link} to={`/t/${tenant}/connectors/${agentId}/${id}`} fw={600}>
        {name}
      </Anchor>
    ),
  },
  { header: "Agent", cell: ({ agentId }) => agentId },
  { header: "Provider", isSecondary: true, cell: ({ provider }) => chatProviderLabel(provider) },
  { header: "Policy", isSecondary: true, cell: ({ policy }) => policy },
  {
    header: "Status",
    cell: ({ active }) => (
      <StatusBadge status={active ? "Active" : "Inactive"} kind={active ? "good" : "idle"} />
    ),
  },
  { header: "Created", isSecondary: true, cell: ({ createdAt }) => <Time value={createdAt} /> },
];

/** Lists, creates, tests, changes and deletes connectors. */
export const ConnectorsPage = () => {
  const { agent } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const list = useConnectors(agent);
  const tenant = useTenant();
  const [open, setOpen] = useState<OpenConnectorDialog>();
  const create = may("connectors:write") && (
    <Button onClick={() => setOpen({ type: "create" })}>Create connector</Button>
  );
  return (
    <Page title="Connectors" description="Chats in which people talk to an agent." actions={create}>
      <AgentSelect
        label="Agent"
        none="All agents"
        agent={agent}
        onChange={(value) =>
          void navigate({ search: value === undefined ? {} : { agent: value }, replace: true })
        }
      />
      <ResourceTable
        label="Connectors"
        list={list}
        idOf={({ id }) => id}
        columns={columnsOf(tenant)}
        actions={(connector) => (
          <RowMenu name={connector.name} actions={connectorActions(connector, may, setOpen)} />
        )}
        empty={
          <EmptyState title="No connectors yet">
            Deploy an agent, create a connector to a chat, and enter its address at the provider.
          </EmptyState>
        }
      />
      <ConnectorDialog
        open={open}
        agent={agent}
        onOpen={setOpen}
        onClose={() => setOpen(undefined)}
      />
    </Page>
  );
};
