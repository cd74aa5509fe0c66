import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Integration, IntegrationConfig } from "../../../client/openapi.ts";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { RowMenu } from "../shared/row-menu.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { Time } from "../shared/time.tsx";
import { DeleteConfigDialog } from "./delete-config-dialog.tsx";
import { useConfigs } from "./use-configs.ts";

const buildColumns = (
  tenant: string,
  integrations: readonly Integration[],
): Column<IntegrationConfig>[] => [
  {
    header: "Config",
    cell: ({ id, displayName }) => (
      <Anchor component={Link} to={`/t/${tenant}/integrations/configs/${id}`}>
        {displayName}
      </Anchor>
    ),
  },
  {
    header: "Integration",
    cell: ({ integrationId }) =>
      integrations.find(({ id }) => id === integrationId)?.displayName ?? integrationId,
  },
  {
    header: "Published",
    cell: ({ latestRevision, publishedRevision }) => {
      if (publishedRevision === null) return <StatusBadge status="Not published" kind="idle" />;
      const isLatest = publishedRevision === latestRevision;
      const status = `Revision ${publishedRevision}${isLatest ? "" : ` of ${latestRevision}`}`;
      return <StatusBadge status={status} kind={isLatest ? "good" : "busy"} />;
    },
  },
  { header: "MCP", cell: ({ exposeMcp }) => (exposeMcp ? "on" : "off"), isSecondary: true },
  { header: "Changed", cell: ({ modifiedAt }) => <Time value={modifiedAt} />, isSecondary: true },
];

type ConfigTableProps = { integrations: readonly Integration[] };

/** Lists and deletes the configs of the tenant. */
export const ConfigTable = ({ integrations }: ConfigTableProps) => {
  const tenant = useTenant();
  const mayWrite = useMay()("integrations:write");
  const list = useConfigs();
  const [deleted, setDeleted] = useState<IntegrationConfig>();
  return (
    <>
      <ResourceTable
        label="Configs"
        list={list}
        getId={({ id }) => id}
        columns={buildColumns(tenant, integrations)}
        actions={
          mayWrite
            ? (config) => (
                <RowMenu
                  name={config.displayName}
                  actions={[
                    { label: "Delete", onClick: () => setDeleted(config), isDangerous: true },
                  ]}
                />
              )
            : undefined
        }
        empty={
          <EmptyState title="No configs yet" docs="integration-configs">
            Add an integration of the catalog below: an OpenAPI document provides one tool per
            operation.
          </EmptyState>
        }
      />
      {deleted && <DeleteConfigDialog config={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
};
