import { Anchor, Button, Text } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import type { Asset } from "../../../client/openapi.ts";
import { useTenant } from "../app/tenant.ts";
import { useMay } from "../session/permissions.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { Page } from "../shared/page.tsx";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { Time } from "../shared/time.tsx";
import { useAssets } from "./use-assets.ts";

const columnsOf = (tenant: string): Column<Asset>[] => [
  {
    header: "Asset",
    cell: ({ id, displayName }) => (
      <>
        {displayName || id}
        {displayName !== "" && displayName !== id && (
          <Text size="sm" c="dimmed">
            {id}
          </Text>
        )}
      </>
    ),
  },
  { header: "Content", cell: ({ contentType }) => contentType || "unknown", isSecondary: true },
  {
    header: "Link",
    isSecondary: true,
    cell: ({ link }) => (
      <Text size="sm" lineClamp={1} maw={320}>
        {link ?? "none"}
      </Text>
    ),
  },
  {
    header: "Named by",
    cell: ({ agentId, agentRevision }) =>
      agentId === null ? (
        "none"
      ) : (
        <Anchor
          component={Link}
          to={`/t/${tenant}/agents/${agentId}/flow?revision=${agentRevision}`}
        >
          {agentId}, revision {agentRevision}
        </Anchor>
      ),
  },
  {
    header: "Vectorized",
    isSecondary: true,
    cell: ({ vectorized }) => (vectorized ? "yes" : "no"),
  },
  {
    header: "Source changed",
    isSecondary: true,
    cell: ({ changedAt }) => <Time value={changedAt} none="not reported" />,
  },
];

/** Lists the assets that agents name. */
export const KnowledgePage = () => {
  const tenant = useTenant();
  const navigate = useNavigate();
  const mayEstimate = useMay()("assets:write");
  const list = useAssets();
  const estimate = mayEstimate && (
    <Button
      onClick={() => void navigate({ to: "/t/$tenant/knowledge/estimate", params: { tenant } })}
    >
      Estimate a source
    </Button>
  );
  return (
    <Page
      title="Knowledge"
      description="Assets that revisions of agents name, as in the revision that named them last."
      actions={estimate}
    >
      <ResourceTable
        label="Assets"
        list={list}
        idOf={({ id }) => id}
        columns={columnsOf(tenant)}
        empty={
          <EmptyState title="No assets yet">
            Name assets in a revision of an agent, then they are listed here. An estimate says how
            many tokens a source has.
          </EmptyState>
        }
      />
    </Page>
  );
};
