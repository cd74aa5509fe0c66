import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Agent } from "../../../../client/openapi.ts";
import { useMay } from "../../session/permissions.ts";
import { useTenant } from "../../session/tenant.ts";
import { JsonView } from "../../shared/json-view.tsx";
import { ProblemAlert } from "../../shared/problem-alert.tsx";
import { SecretField } from "../../shared/secret-field.tsx";
import { buildMcpSettings } from "./snippets.ts";
import { useCreateMcpServer, useMcpServers } from "./use-mcp-servers.ts";

/** Offers an agent to MCP clients: the servers that do so, or a new one with its key. */
export const McpPanel = ({ agent }: { agent: Agent }) => {
  const tenant = useTenant();
  const may = useMay();
  const servers = useMcpServers(agent.id);
  const create = useCreateMcpServer(agent);
  const toUrl = (config: string): string =>
    `${location.origin}/v1/tenants/${encodeURIComponent(tenant)}/mcp/${config}`;
  const key = create.data?.mcpKey?.key;
  if (create.data && typeof key === "string") {
    return (
      <Stack>
        <SecretField
          label="Key of the MCP server"
          description="Copy it now: it is never shown again. It can call this server only."
          value={key}
        />
        <JsonView
          label="Settings of the client"
          value={buildMcpSettings(toUrl(create.data.id), agent.id, key)}
        />
      </Stack>
    );
  }
  return (
    <Stack>
      <Text size="sm">
        An MCP server offers the agent as a tool, by Streamable HTTP. Its key can call this server
        only.
      </Text>
      {servers.map(({ id, displayName }) => (
        <Stack key={id} gap={4}>
          <SecretField label={`Server ${displayName ?? id}`} value={toUrl(id)} />
          <Anchor component={Link} size="sm" to={`/t/${tenant}/integrations/configs/${id}`}>
            Rotate key
          </Anchor>
        </Stack>
      ))}
      <ProblemAlert error={create.error} />
      {may("integrations:write") && may("mcp:invoke") && (
        <Group>
          <Button variant="default" loading={create.isPending} onClick={() => create.mutate()}>
            Create MCP server
          </Button>
        </Group>
      )}
    </Stack>
  );
};
