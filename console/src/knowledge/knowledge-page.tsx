import { Anchor, Button, Text } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import type { Asset, SourceType } from "../../../client/openapi.ts";
import { useAssets, useSourceTypes } from "../asset-queries/use-assets.ts";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { formatCount } from "../shared/format.ts";
import { isEmptyList } from "../shared/is-empty-list.ts";
import { Page } from "../shared/page.tsx";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { Time } from "../shared/time.tsx";
import { AssetMenu } from "./asset-menu.tsx";
import { AssetStatus } from "./asset-status.tsx";
import { typeLabel, uploadType } from "./source-types.ts";

const buildColumns = (tenant: string, types: readonly SourceType[]): Column<Asset>[] => [
  {
    header: "Asset",
    cell: ({ id, displayName }) => (
      <>
        <Anchor
          display="block"
          component={Link}
          to={`/t/${tenant}/knowledge/assets/${encodeURIComponent(id)}`}
        >
          {displayName || id}
        </Anchor>
        {displayName !== null && displayName !== "" && displayName !== id && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {id}
          </Text>
        )}
      </>
    ),
  },
  { header: "Source", cell: ({ type }) => typeLabel(types, type) },
  { header: "Status", cell: (asset) => <AssetStatus asset={asset} /> },
  {
    header: "Documents",
    isNumber: true,
    cell: ({ type, documentCount }) => type !== null && formatCount(documentCount),
  },
  {
    header: "Refresh",
    isSecondary: true,
    cell: ({ type, refresh }) => type !== null && type !== uploadType.key && (refresh ?? "Manual"),
  },
  {
    header: "Last synced",
    isSecondary: true,
    cell: ({ type, lastSyncedAt }) => type !== null && <Time value={lastSyncedAt} />,
  },
  {
    header: "Used by",
    isSecondary: true,
    cell: ({ agentId, agentRevision }) =>
      agentId === null ? (
        "No agents"
      ) : (
        <Anchor
          component={Link}
          to={`/t/${tenant}/agents/${agentId}/flow?revision=${agentRevision}`}
        >
          {agentId}, revision {agentRevision}
        </Anchor>
      ),
  },
];

/** Lists the assets: those with a source, which agents search, and those that revisions only name. */
export const KnowledgePage = () => {
  const tenant = useTenant();
  const navigate = useNavigate();
  const mayWrite = useMay()("assets:write");
  const list = useAssets({ isLive: true });
  const types = useSourceTypes();
  const create = mayWrite && (
    <Button onClick={() => void navigate({ to: "/t/$tenant/knowledge/new", params: { tenant } })}>
      Create asset
    </Button>
  );
  return (
    <Page
      title="Knowledge"
      description="Sources of documents that agents search: uploaded files, repositories and other systems."
      actions={!isEmptyList(list) && create}
    >
      <ResourceTable
        label="Assets"
        list={list}
        getId={({ id }) => id}
        columns={buildColumns(tenant, types.data ?? [])}
        actions={mayWrite ? (asset) => <AssetMenu asset={asset} /> : undefined}
        empty={
          <EmptyState title="No assets yet" docs="knowledge" action={create}>
            Create an asset, upload files or read a source, then select it in a Prompt or Retrieve
            step of a flow.
          </EmptyState>
        }
      />
    </Page>
  );
};
