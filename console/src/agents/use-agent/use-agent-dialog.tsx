import { Alert, Anchor, Button, Group, Modal, Stack, Tabs, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Agent } from "../../../../client/openapi.ts";
import { useRevision } from "../../agent-queries/use-revisions.ts";
import { useCreateKey } from "../../api-keys/use-api-keys.ts";
import { useMay } from "../../session/permissions.ts";
import { useTenant } from "../../session/tenant.ts";
import { JsonView } from "../../shared/json-view.tsx";
import { ProblemAlert } from "../../shared/problem-alert.tsx";
import { SecretField } from "../../shared/secret-field.tsx";
import { McpPanel } from "./mcp-panel.tsx";
import { buildSampleInput, buildSnippets } from "./snippets.ts";

type UseAgentDialogProps = { agent: Agent; onClose: () => void };

/** Shows how programs call an agent, and creates the key that they need. */
export const UseAgentDialog = ({ agent, onClose }: UseAgentDialogProps) => {
  const tenant = useTenant();
  const may = useMay();
  const number = agent.deployedRevision ?? agent.latestRevision;
  const revision = useRevision(agent.id, may("revisions:read") ? number : null);
  const parameters = revision.data?.parametersMetadata ?? [];
  const sample = buildSampleInput(parameters);
  const snippets = buildSnippets({ origin: location.origin, tenant, agent: agent.id, sample });
  return (
    <Modal opened onClose={onClose} title={`Use ${agent.displayName}`} size="xl">
      <Stack>
        {agent.deployedRevision === null && (
          <Alert color="yellow" variant="outline" title="Not deployed yet">
            Programs run the deployed revision.{" "}
            <Anchor
              component={Link}
              underline="always"
              to={`/t/${tenant}/agents/${encodeURIComponent(agent.id)}/revisions`}
            >
              Deploy a revision
            </Anchor>
          </Alert>
        )}
        <Tabs defaultValue="cURL" keepMounted={false}>
          <Tabs.List mb="md">
            {snippets.map(({ label }) => (
              <Tabs.Tab key={label} value={label}>
                {label}
              </Tabs.Tab>
            ))}
            <Tabs.Tab value="MCP">MCP</Tabs.Tab>
          </Tabs.List>
          {snippets.map(({ label, code }) => (
            <Tabs.Panel key={label} value={label}>
              <JsonView label={`Call with ${label}`} value={code} />
            </Tabs.Panel>
          ))}
          <Tabs.Panel value="MCP">
            <McpPanel agent={agent} />
          </Tabs.Panel>
        </Tabs>
        <KeySection agent={agent} />
      </Stack>
    </Modal>
  );
};

/** Creates the key that the calls read from the environment. It may run agents and nothing else. */
const KeySection = ({ agent }: { agent: Agent }) => {
  const mayCreate = useMay()("keys:write");
  const create = useCreateKey();
  const key = create.data?.key;
  if (typeof key === "string") {
    return (
      <SecretField
        label="API key"
        description="Copy it now: it is never shown again. It has the scope agents:execute, and is listed under API keys."
        value={`export WHARF_API_KEY=${key}`}
      />
    );
  }
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        The calls read an API key with the scope agents:execute from the variable WHARF_API_KEY.
      </Text>
      <ProblemAlert error={create.error} />
      {mayCreate && (
        <Group>
          <Button
            loading={create.isPending}
            onClick={() =>
              create.mutate({ name: `Runs ${agent.id}`.slice(0, 100), scopes: ["agents:execute"] })
            }
          >
            Create API key
          </Button>
        </Group>
      )}
    </Stack>
  );
};
