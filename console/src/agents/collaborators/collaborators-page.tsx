import { Button, Group, Stack, Text } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { Collaborator } from "../../../../client/openapi.ts";
import { useCollaborators, useRemoveCollaborator } from "../../agent-queries/use-collaborators.ts";
import { useMayAt } from "../../agent-queries/use-may-at.ts";
import { ConfirmDialog } from "../../shared/confirm-dialog.tsx";
import { EmptyState } from "../../shared/empty-state.tsx";
import { type Column, ResourceTable } from "../../shared/resource-table.tsx";
import { RowMenu } from "../../shared/row-menu.tsx";
import { StatusBadge } from "../../shared/status-badge.tsx";
import { Time } from "../../shared/time.tsx";
import { toListState } from "../../shared/to-list-state.ts";
import { alertNames, CollaboratorDialog } from "./collaborator-dialog.tsx";

const columns: Column<Collaborator>[] = [
  { header: "User", cell: ({ email, userId }) => email ?? userId },
  {
    header: "Name",
    isSecondary: true,
    cell: ({ firstName, lastName }) => [firstName, lastName].filter(Boolean).join(" "),
  },
  { header: "Role", cell: ({ role }) => role },
  {
    header: "Status",
    cell: ({ status }) =>
      status === 1 ? (
        <StatusBadge status="Active" kind="good" />
      ) : (
        <StatusBadge status="Invited" kind="idle" />
      ),
  },
  { header: "User ID", isSecondary: true, isWide: true, cell: ({ userId }) => userId },
  {
    header: "Alerts",
    isSecondary: true,
    isWide: true,
    cell: (collaborator) => alertNames(collaborator).join(", ") || "none",
  },
  { header: "Changed", isSecondary: true, cell: ({ modifiedAt }) => <Time value={modifiedAt} /> },
];

type Open = { type: "edit"; collaborator?: Collaborator } | { type: "remove"; user: string };

/** Lists, invites, changes and removes the collaborators of an agent. */
export const CollaboratorsPage = () => {
  const { agent } = useParams({ from: "/t/$tenant/agents/$agent" });
  const collaborators = useCollaborators(agent);
  const { mutateAsync: remove } = useRemoveCollaborator(agent);
  const mayWrite = useMayAt(agent)("agents:write", "Owner");
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const buildActions = (collaborator: Collaborator) => [
    { label: "Edit", onClick: () => setOpen({ type: "edit", collaborator }) },
    {
      label: "Remove",
      onClick: () => setOpen({ type: "remove", user: collaborator.userId }),
      isDangerous: true,
    },
  ];
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed">A role restricts what a user's scopes allow at this agent.</Text>
        {mayWrite && <Button onClick={() => setOpen({ type: "edit" })}>Invite collaborator</Button>}
      </Group>
      <ResourceTable
        label="Collaborators"
        list={toListState(collaborators)}
        getId={({ userId }) => userId}
        columns={columns}
        actions={
          mayWrite
            ? (collaborator) => (
                <RowMenu name={collaborator.userId} actions={buildActions(collaborator)} />
              )
            : undefined
        }
        empty={
          <EmptyState title="No collaborators yet">
            Invite users by their email addresses. Start with an Owner: collaborators receive the
            alerts of the agent.
          </EmptyState>
        }
      />
      {open?.type === "edit" && (
        <CollaboratorDialog agent={agent} collaborator={open.collaborator} onClose={close} />
      )}
      {open?.type === "remove" && (
        <ConfirmDialog
          title={`Remove ${open.user}?`}
          action="Remove"
          done={`Removed ${open.user}.`}
          isDangerous
          onConfirm={() => remove(open.user)}
          onClose={close}
        >
          <Text>
            The user no longer receives alerts. Only the user's scopes limit what they can do.
          </Text>
        </ConfirmDialog>
      )}
    </Stack>
  );
};
