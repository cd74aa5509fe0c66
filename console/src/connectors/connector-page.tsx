import { Anchor, Stack, Text, Title } from "@mantine/core";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Connector } from "../../../client/openapi.ts";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { Facts } from "../shared/facts.tsx";
import { InboundAddress } from "../shared/inbound-address.tsx";
import { JsonView } from "../shared/json-view.tsx";
import { Page } from "../shared/page.tsx";
import { PageLoader } from "../shared/page-loader.tsx";
import { ReadProblem } from "../shared/read-problem.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { ChatUserTable } from "./chat-user-table.tsx";
import { ConnectorDialog, ConnectorMenu, type OpenConnectorDialog } from "./connector-dialog.tsx";
import { chatProviderLabel } from "./providers.ts";
import { useConnector } from "./use-connectors.ts";

const route = getRouteApi("/t/$tenant/connectors/$agent/$connector");

/** Shows a connector with its chat users. */
export const ConnectorPage = () => {
  const { agent, connector: id } = route.useParams();
  const tenant = useTenant();
  const may = useMay();
  const { data: connector, error } = useConnector(agent, id);
  // Open dialogs stay if a later read fails.
  if (!connector) return error ? <ReadProblem error={error} /> : <PageLoader />;
  return (
    <Page
      title={connector.name}
      back={`/t/${tenant}/connectors`}
      description={<ConnectorFacts connector={connector} />}
      actions={<ConnectorActions connector={connector} />}
    >
      <ReadProblem error={error} />
      <InboundAddress url={connector.webhookUrl} keyName={`Connector ${connector.name}`} />
      <JsonView label="Parameters" value={connector.parameters} />
      {connector.onBoardingMessage !== null && (
        <JsonView label="Onboarding message" value={connector.onBoardingMessage} />
      )}
      {may("chat_users:read") && (
        <Stack gap="xs" mt="md">
          <Title order={2} size="h4">
            Chat users
          </Title>
          <Text c="dimmed" size="sm">
            Users who wrote to the agent in this chat.
          </Text>
          <ChatUserTable agent={agent} connector={id} />
        </Stack>
      )}
    </Page>
  );
};

const ConnectorFacts = ({ connector }: { connector: Connector }) => {
  const tenant = useTenant();
  const { active, provider, policy, agentId, agentRevision } = connector;
  return (
    <Facts>
      <StatusBadge status={active ? "Active" : "Inactive"} kind={active ? "good" : "idle"} />
      <span>{chatProviderLabel(provider)}</span>
      <span>{policy}</span>
      <Anchor component={Link} to={`/t/${tenant}/agents/${agentId}/flow`}>
        {agentId}
      </Anchor>
      <span>{agentRevision === null ? "Not deployed" : `Revision ${agentRevision}`}</span>
    </Facts>
  );
};

const ConnectorActions = ({ connector }: { connector: Connector }) => {
  const tenant = useTenant();
  const navigate = useNavigate();
  const [open, setOpen] = useState<OpenConnectorDialog>();
  return (
    <>
      <ConnectorMenu connector={connector} onOpen={setOpen} />
      <ConnectorDialog
        open={open}
        onOpen={setOpen}
        onDeleted={() => void navigate({ to: "/t/$tenant/connectors", params: { tenant } })}
        onClose={() => setOpen(undefined)}
      />
    </>
  );
};
