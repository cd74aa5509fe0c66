import { Anchor, Button, Stack, Text, Title } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Integration } from "../../../client/openapi.ts";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { Page } from "../shared/page.tsx";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { ConfigTable } from "./config-table.tsx";
import { CreateConfigDialog } from "./create-config-dialog.tsx";
import { useCatalog } from "./use-integrations.ts";

const buildColumns = (tenant: string, mayReadTools: boolean): Column<Integration>[] => [
  {
    header: "Integration",
    cell: ({ displayName, description }) => (
      <>
        {displayName}
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      </>
    ),
  },
  {
    header: "Offers",
    isSecondary: true,
    cell: ({ id, displayName, hasTools, needsConfig }) => {
      if (!hasTools) return "Webhooks";
      return needsConfig || !mayReadTools ? (
        "Tools"
      ) : (
        <Anchor component={Link} to={`/t/${tenant}/integrations/${id}/tools`}>
          Tools of {displayName}
        </Anchor>
      );
    },
  },
];

/** Lists the configs of the tenant and the catalog of integrations, and creates configs. */
export const IntegrationsPage = () => {
  const tenant = useTenant();
  const navigate = useNavigate();
  const may = useMay();
  const catalog = useCatalog();
  const [created, setCreated] = useState<Integration>();
  const list = {
    items: catalog.data ?? [],
    isLoading: catalog.isLoading,
    error: catalog.error,
    hasMore: false,
    isLoadingMore: false,
    loadMore: () => undefined,
  };
  return (
    <Page
      title="Integrations"
      description="Tools of other systems for your agents. A config has the settings and credentials of an integration."
    >
      <ConfigTable integrations={list.items} />
      <Stack gap="sm">
        <Title order={2} size="h4">
          Catalog
        </Title>
        <ResourceTable
          label="Catalog"
          list={list}
          getId={({ id }) => id}
          columns={buildColumns(tenant, may("tools:read"))}
          actions={
            may("integrations:write")
              ? (integration) => (
                  <Button
                    variant="default"
                    size="compact-sm"
                    aria-label={`Add ${integration.displayName}`}
                    onClick={() => setCreated(integration)}
                  >
                    Add
                  </Button>
                )
              : undefined
          }
          empty={<EmptyState title="No integrations">The catalog is empty.</EmptyState>}
        />
      </Stack>
      {created && (
        <CreateConfigDialog
          integration={created}
          onCreated={({ id: config }) =>
            void navigate({
              to: "/t/$tenant/integrations/configs/$config",
              params: { tenant, config },
            })
          }
          onClose={() => setCreated(undefined)}
        />
      )}
    </Page>
  );
};
