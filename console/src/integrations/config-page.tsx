import { Button, Stack, Title } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Integration, IntegrationConfig } from "../../../client/openapi.ts";
import { useMay } from "../session/permissions.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { JsonView } from "../shared/json-view.tsx";
import { Page } from "../shared/page.tsx";
import { PageLoader } from "../shared/page-loader.tsx";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { ReadProblem } from "../shared/read-problem.tsx";
import { RowMenu } from "../shared/row-menu.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { ConfigConnections } from "./config-connections.tsx";
import { DeleteConfigDialog } from "./delete-config-dialog.tsx";
import { EditConfigDialog } from "./edit-config-dialog.tsx";
import { McpKeyDialog } from "./mcp-key-dialog.tsx";
import { McpServer } from "./mcp-server.tsx";
import { ToolTable } from "./tool-table.tsx";
import { useConfig, usePublishConfig } from "./use-configs.ts";
import { useCatalog } from "./use-integrations.ts";

const route = getRouteApi("/t/$tenant/integrations/configs/$config");

/** The dialog that is open. */
type Open = { type: "edit" | "delete" } | { type: "key"; key: string };

/** Shows a config: its tools, its MCP server and its settings. */
export const ConfigPage = () => {
  const { tenant, config: id } = route.useParams();
  const navigate = useNavigate();
  const catalog = useCatalog();
  const { data: config, error } = useConfig(id);
  const [open, setOpen] = useState<Open>();
  const problem = error ?? catalog.error;
  if (problem && !config) return <ReadProblem error={problem} />;
  if (!config || catalog.isPending) return <PageLoader />;
  const integration =
    catalog.data?.find((integration) => integration.id === config.integrationId) ??
    unlisted(config);
  const close = (): void => setOpen(undefined);
  return (
    <Page
      title={config.displayName}
      back={`/t/${tenant}/integrations`}
      description={`${integration.displayName}, ${config.id}`}
      actions={<ConfigActions config={config} onOpen={setOpen} />}
    >
      {integration.hasTools && <Tools config={config} integration={integration} />}
      {config.auth?.type === "oauth2" && <ConfigConnections config={config} />}
      {integration.hasTools && (
        <McpServer config={config} onKey={(key) => setOpen({ type: "key", key })} />
      )}
      <JsonView label="Settings" value={withReadDocuments(config.parameters)} />
      <JsonView label="Credentials" value={config.auth?.parameters ?? {}} />
      {open?.type === "edit" && (
        <EditConfigDialog config={config} integration={integration} onClose={close} />
      )}
      {open?.type === "delete" && (
        <DeleteConfigDialog
          config={config}
          onDeleted={() => void navigate({ to: "/t/$tenant/integrations", params: { tenant } })}
          onClose={close}
        />
      )}
      {open?.type === "key" && (
        <McpKeyDialog name={config.displayName} mcpKey={open.key} onClose={close} />
      )}
    </Page>
  );
};

/** Reads settings that are JSON documents themselves, such as OpenAPI documents. */
const withReadDocuments = (parameters: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, readDocument(value) ?? value]),
  );

const readDocument = (text: unknown): unknown => {
  if (typeof text !== "string" || !text.trimStart().startsWith("{")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Configs may be of an id of one's own. */
const unlisted = ({ integrationId }: IntegrationConfig): Integration => ({
  id: integrationId,
  displayName: integrationId,
  description: "",
  needsConfig: true,
  hasTools: false,
  parameters: [],
});

type ConfigActionsProps = { config: IntegrationConfig; onOpen: (open: Open) => void };

const ConfigActions = ({ config, onOpen }: ConfigActionsProps) => {
  const mayWrite = useMay()("integrations:write");
  const { mutate, error, isPending } = usePublishConfig(config.id);
  const { latestRevision, publishedRevision } = config;
  return (
    <>
      <StatusBadge
        status={publishedRevision === null ? "Not published" : `Revision ${publishedRevision}`}
        kind={publishedRevision === null ? "idle" : "good"}
      />
      {mayWrite && latestRevision !== publishedRevision && (
        <Button loading={isPending} onClick={() => mutate(latestRevision)}>
          Publish revision {latestRevision}
        </Button>
      )}
      {mayWrite && (
        <RowMenu
          name={config.displayName}
          actions={[
            { label: "Edit", onClick: () => onOpen({ type: "edit" }) },
            { label: "Delete", onClick: () => onOpen({ type: "delete" }), isDangerous: true },
          ]}
        />
      )}
      <ProblemAlert error={error} />
    </>
  );
};

type ToolsProps = { config: IntegrationConfig; integration: Integration };

const Tools = ({ config, integration }: ToolsProps) => {
  const mayRead = useMay()("tools:read");
  const { id, integrationId, publishedRevision } = config;
  if (!mayRead) return null;
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        Tools
      </Title>
      {publishedRevision === null ? (
        <EmptyState title="Not published yet">Publish the config to see its tools.</EmptyState>
      ) : (
        <ToolTable
          source={
            integration.needsConfig
              ? { integration: integrationId, configId: id, revision: publishedRevision }
              : { integration: integrationId }
          }
        />
      )}
    </Stack>
  );
};
