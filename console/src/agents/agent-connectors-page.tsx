import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { useAccessRequests } from "../access-requests/use-access-requests.ts";
import { useMayAt } from "../agent-queries/use-may-at.ts";
import type { OpenConnectorDialog } from "../connectors/connector-dialog.tsx";
import { ConnectorList } from "../connectors/connector-list.tsx";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { EmptyState } from "../shared/empty-state.tsx";

const route = getRouteApi("/t/$tenant/agents/$agent/connectors");

/**
 * Lists, creates, tests, changes and deletes the connectors of an agent, and shows pending access
 * requests.
 */
export const AgentConnectorsPage = () => {
  const { agent } = route.useParams();
  const may = useMay();
  const mayAt = useMayAt(agent);
  const [open, setOpen] = useState<OpenConnectorDialog>();
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed">Chats in which users talk to this agent.</Text>
        <Group gap="md">
          {may("chat_users:read") && <WaitingLink agent={agent} />}
          {mayAt("connectors:write") && (
            <Button onClick={() => setOpen({ type: "create" })}>Create connector</Button>
          )}
        </Group>
      </Group>
      <ConnectorList
        agent={agent}
        isOfAgent
        open={open}
        onOpen={setOpen}
        empty={
          <EmptyState title="No connectors yet">
            Deploy a revision, create a connector to a chat, and enter its address at the provider.
          </EmptyState>
        }
      />
    </Stack>
  );
};

/** Links to the access requests of the agent, with the number of pending ones. */
const WaitingLink = ({ agent }: { agent: string }) => {
  const tenant = useTenant();
  const { items, hasMore } = useAccessRequests(agent, "Pending");
  return (
    <Anchor component={Link} to={`/t/${tenant}/access-requests?agent=${encodeURIComponent(agent)}`}>
      Waiting for access: {items.length}
      {hasMore && "+"}
    </Anchor>
  );
};
