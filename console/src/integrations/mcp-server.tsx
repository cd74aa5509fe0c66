import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import type { IntegrationConfig } from "../../../client/openapi.ts";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { ConfirmDialog } from "../shared/confirm-dialog.tsx";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { SecretField } from "../shared/secret-field.tsx";
import { useRotateMcpKey, useUpdateConfig } from "./use-configs.ts";

type McpServerProps = {
  config: IntegrationConfig;
  /** Shows a new key, once. */
  onKey: (key: string) => void;
};

/** Shows the MCP server of a config, turns it on and off, and rotates its key. */
export const McpServer = ({ config, onKey }: McpServerProps) => {
  const tenant = useTenant();
  const mayWrite = useMay()("integrations:write");
  const update = useUpdateConfig(config.id);
  const rotate = useRotateMcpKey(config.id);
  const [question, setQuestion] = useState<"rotate" | "off">();
  const show = ({ mcpKey }: IntegrationConfig): void => {
    if (typeof mcpKey?.key === "string") onKey(mcpKey.key);
  };
  const address = `${location.origin}/v1/tenants/${encodeURIComponent(tenant)}/mcp/${config.id}`;
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2} size="h4">
          MCP server
        </Title>
        {config.exposeMcp ? (
          <SecretField
            label="Server address"
            value={address}
            description="Streamable HTTP, with the header X-API-KEY."
          />
        ) : (
          <Text c="dimmed">Other programs can use the tools by the Model Context Protocol.</Text>
        )}
        <ProblemAlert error={update.error} />
        {mayWrite && !config.exposeMcp && (
          <Group>
            <Button
              variant="default"
              loading={update.isPending}
              onClick={() => update.mutate({ exposeMcp: true }, { onSuccess: show })}
            >
              Turn on
            </Button>
          </Group>
        )}
        {mayWrite && config.exposeMcp && (
          <Group>
            <Button variant="default" onClick={() => setQuestion("rotate")}>
              Rotate key
            </Button>
            <Button variant="default" onClick={() => setQuestion("off")}>
              Turn off
            </Button>
          </Group>
        )}
      </Stack>
      {question === "rotate" && (
        <ConfirmDialog
          title="Rotate the key?"
          action="Rotate"
          onConfirm={async () => show(await rotate.mutateAsync())}
          onClose={() => setQuestion(undefined)}
        >
          <Text>The key in use stops working immediately.</Text>
        </ConfirmDialog>
      )}
      {question === "off" && (
        <ConfirmDialog
          title="Turn off the MCP server?"
          action="Turn off"
          done="Turned off the MCP server."
          isDangerous
          onConfirm={() => update.mutateAsync({ exposeMcp: false })}
          onClose={() => setQuestion(undefined)}
        >
          <Text>Its key is revoked. Turning it on again creates a new key.</Text>
        </ConfirmDialog>
      )}
    </Paper>
  );
};
