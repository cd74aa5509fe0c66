import { Button, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import type { Connection, IntegrationConfig } from "../../../client/openapi.ts";
import { useMay } from "../session/permissions.ts";
import { useSession } from "../session/session-context.ts";
import { ConfirmDialog } from "../shared/confirm-dialog.tsx";
import { EmptyState } from "../shared/empty-state.tsx";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { type RowAction, RowMenu } from "../shared/row-menu.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { Time } from "../shared/time.tsx";
import { asksPerson, type OAuthForm, toOAuthForm } from "./oauth-form.ts";
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

/**
 * Returns whether a consent can be prepared for the owner of a connection. That of another user cannot: the API prepares
 * consents of users for the caller only.
 */
const canConnect = (
  { owner, status, userId }: Connection,
  oauth: OAuthForm | undefined,
  caller: string,
): boolean => {
  if (!oauth || !asksPerson(oauth) || status === "Active" || status === "Revoked") return false;
  if (owner === "tenant") return oauth.owner === "tenant";
  return oauth.owner === "endUser" && (owner === "endUser" || userId === caller);
};

const describeEmpty = (isPublished: boolean, oauth: OAuthForm | undefined): string => {
  if (!isPublished) return "Publish the config to connect an account.";
  return oauth && !asksPerson(oauth)
    ? "The first call of a tool connects the account."
    : "Agents call the tools with the account of the user who connected it.";
};

/** Shows the connections of a config with OAuth 2: connects and disconnects accounts. */
export const ConfigConnections = ({ config }: { config: IntegrationConfig }) => {
  const mayWrite = useMay()("integrations:write");
  const caller = useSession().user.id;
  const list = useConnections(config.id);
  const create = useCreateConnection(config.id);
  const remove = useDeleteConnection();
  const [removed, setRemoved] = useState<Connection>();
  const oauth = toOAuthForm(config.auth);
  const isPublished = config.publishedRevision !== null;
  const connect = (endUserId: string | undefined): void =>
    create.mutate(endUserId, { onSuccess: openConsent });
  const buildActions = (connection: Connection): RowAction[] => [
    ...(isPublished && canConnect(connection, oauth, caller)
      ? [{ label: "Connect", onClick: () => connect(connection.endUserId ?? undefined) }]
      : []),
    { label: "Disconnect", onClick: () => setRemoved(connection), isDangerous: true },
  ];
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
                <RowMenu name={nameOwner(connection)} actions={buildActions(connection)} />
              )
            : undefined
        }
        empty={
          <EmptyState title="No accounts connected">{describeEmpty(isPublished, oauth)}</EmptyState>
        }
      />
      <ProblemAlert error={create.error} />
      {mayWrite && isPublished && (
        <ConnectForm
          isOfEndUsers={oauth?.owner === "endUser"}
          isPending={create.isPending}
          onConnect={connect}
        />
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

type ConnectFormProps = {
  isOfEndUsers: boolean;
  isPending: boolean;
  /** Gets undefined for the caller's own account, or for the one of all. */
  onConnect: (endUserId: string | undefined) => void;
};

const ConnectForm = ({ isOfEndUsers, isPending, onConnect }: ConnectFormProps) => {
  const [endUser, setEndUser] = useState("");
  return (
    <Group align="end">
      {isOfEndUsers && (
        <TextInput
          label="End user"
          description="The endUserId of their sessions. If empty, your own account is connected."
          value={endUser}
          onChange={({ currentTarget }) => setEndUser(currentTarget.value)}
        />
      )}
      <Button
        variant="default"
        loading={isPending}
        onClick={() => onConnect(isOfEndUsers && endUser !== "" ? endUser : undefined)}
      >
        Connect an account
      </Button>
    </Group>
  );
};
