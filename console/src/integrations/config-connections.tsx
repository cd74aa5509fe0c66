import { Button, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import type { Connection, IntegrationConfig } from "../../../client/openapi.ts";
import { useMay } from "../session/permissions.ts";
import { ConfirmDialog } from "../shared/confirm-dialog.tsx";
import { EmptyState } from "../shared/empty-state.tsx";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { RowMenu } from "../shared/row-menu.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { Time } from "../shared/time.tsx";
import { useConnections, useCreateConnection, useDeleteConnection } from "./use-connections.ts";

const kinds = {
  Active: "good",
  Pending: "busy",
  Expired: "bad",
  Failed: "bad",
  Revoked: "idle",
} as const;

const nameOwner = ({ owner, endUserId, userId }: Connection): string => {
  if (owner === "tenant") return "This tenant";
  return owner === "user" ? `User ${userId}` : `End user ${endUserId}`;
};

const columns: Column<Connection>[] = [
  { header: "Owner", cell: nameOwner },
  {
    header: "Status",
    cell: ({ status, error }) => (
      <Group gap="xs">
        <StatusBadge status={status} kind={kinds[status]} />
        {error !== null && (
          <Text size="sm" c="dimmed">
            {error}
          </Text>
        )}
      </Group>
    ),
  },
  { header: "Scopes", cell: ({ scopes }) => scopes.join(" "), isSecondary: true },
  {
    header: "Connected",
    cell: ({ connectedAt }) => (connectedAt === null ? "never" : <Time value={connectedAt} />),
    isSecondary: true,
  },
];

/** Opens the page on which a person gives consent. */
const openConsent = ({ authorizeUrl }: Connection): void => {
  if (authorizeUrl !== null) window.open(authorizeUrl, "_blank", "noopener");
};

/** Shows the connections of a config with OAuth 2: connects and disconnects accounts. */
export const ConfigConnections = ({ config }: { config: IntegrationConfig }) => {
  const mayWrite = useMay()("integrations:write");
  const list = useConnections(config.id);
  const create = useCreateConnection(config.id);
  const remove = useDeleteConnection();
  const [removed, setRemoved] = useState<Connection>();
  const [endUser, setEndUser] = useState("");
  const isOfEndUsers = config.auth?.owner === "endUser";
  const mayConnect = mayWrite && config.publishedRevision !== null;
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        Connections
      </Title>
      <ResourceTable
        label="Connections"
        list={list}
        getId={({ id }) => id}
        columns={columns}
        actions={
          mayWrite
            ? (connection) => (
                <RowMenu
                  name={nameOwner(connection)}
                  actions={[
                    ...(connection.authorizeUrl === null
                      ? []
                      : [{ label: "Connect", onClick: () => openConsent(connection) }]),
                    {
                      label: "Disconnect",
                      onClick: () => setRemoved(connection),
                      isDangerous: true,
                    },
                  ]}
                />
              )
            : undefined
        }
        empty={
          <EmptyState title="No accounts connected">
            {config.publishedRevision === null
              ? "Publish the config to connect an account."
              : "Agents call the tools with the account of the user who connected it."}
          </EmptyState>
        }
      />
      <ProblemAlert error={create.error} />
      {mayConnect && (
        <Group align="end">
          {isOfEndUsers && (
            <TextInput
              label="End user"
              description="The endUserId of their sessions."
              value={endUser}
              onChange={({ currentTarget }) => setEndUser(currentTarget.value)}
            />
          )}
          <Button
            variant="default"
            loading={create.isPending}
            disabled={isOfEndUsers && endUser === ""}
            onClick={() =>
              create.mutate(isOfEndUsers ? endUser : undefined, { onSuccess: openConsent })
            }
          >
            Connect an account
          </Button>
        </Group>
      )}
      {removed && (
        <ConfirmDialog
          title={`Disconnect ${nameOwner(removed)}?`}
          action="Disconnect"
          done="Disconnected the account."
          onConfirm={() => remove.mutateAsync(removed.id)}
          onClose={() => setRemoved(undefined)}
        >
          Its tokens are revoked and deleted. Executions that need the account wait until it is
          connected again.
        </ConfirmDialog>
      )}
    </Stack>
  );
};
