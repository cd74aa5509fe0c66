import { Alert, Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { useTenant } from "../session/tenant.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { Page } from "../shared/page.tsx";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { toListState } from "../shared/to-list-state.ts";
import type { Member } from "./list-members.ts";
import { maxAgents, useMembers } from "./use-members.ts";

const maxShown = 3;

const buildColumns = (tenant: string): Column<Member>[] => [
  { header: "User", cell: ({ email, userId }) => email ?? userId },
  { header: "Name", isSecondary: true, cell: ({ name }) => name },
  {
    header: "Status",
    cell: ({ isActive }) =>
      isActive ? (
        <StatusBadge status="Active" kind="good" />
      ) : (
        <StatusBadge status="Invited" kind="idle" />
      ),
  },
  {
    header: "Agents",
    isWide: true,
    cell: ({ roles }) => (
      <span title={roles.map(({ agentId, role }) => `${agentId}: ${role}`).join("\n")}>
        {roles.slice(0, maxShown).map(({ agentId, role }, at) => (
          <Fragment key={agentId}>
            {at > 0 && ", "}
            <Anchor
              component={Link}
              underline="always"
              to={`/t/${tenant}/agents/${encodeURIComponent(agentId)}/collaborators`}
            >
              {agentId}
            </Anchor>{" "}
            ({role})
          </Fragment>
        ))}
        {roles.length > maxShown && ` and ${roles.length - maxShown} more`}
      </span>
    ),
  },
];

/** Lists the users who have a role at an agent. */
export const MembersPage = () => {
  const tenant = useTenant();
  const { data, isLoading, error, isCut } = useMembers();
  return (
    <Page
      title="Members"
      description="Users who have a role at an agent. Your identity provider manages who may sign in, and with which preset."
    >
      {isCut && <Alert variant="outline">Shows the users of the first {maxAgents} agents.</Alert>}
      <ResourceTable
        label="Members"
        list={toListState({ data, isLoading, error })}
        getId={({ userId }) => userId}
        columns={buildColumns(tenant)}
        empty={
          <EmptyState title="No members yet">
            Invite users in the tab “Collaborators” of an agent.
          </EmptyState>
        }
      />
    </Page>
  );
};
