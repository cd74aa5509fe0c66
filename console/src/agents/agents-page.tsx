import { Anchor, Button, Text } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Agent } from "../../../client/openapi.ts";
import { useAgents } from "../agent-queries/use-agents.ts";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { Page } from "../shared/page.tsx";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { Time } from "../shared/time.tsx";
import { AgentDialog } from "./agent-dialog.tsx";

const buildColumns = (tenant: string): Column<Agent>[] => [
  {
    header: "Name",
    cell: ({ id, displayName, description }) => (
      <>
        <div>
          <Anchor component={Link} to={`/t/${tenant}/agents/${id}/flow`}>
            {displayName}
          </Anchor>
        </div>
        {description !== null && (
          <Text size="sm" c="dimmed" lineClamp={1}>
            {description}
          </Text>
        )}
      </>
    ),
  },
  { header: "ID", cell: ({ id }) => id, isSecondary: true },
  {
    header: "Deployed",
    cell: ({ deployedRevision }) =>
      deployedRevision === null ? (
        <StatusBadge status="Not deployed" kind="idle" />
      ) : (
        <StatusBadge status={`Revision ${deployedRevision}`} kind="good" />
      ),
  },
  {
    header: "Latest revision",
    isSecondary: true,
    isNumber: true,
    cell: ({ latestRevision }) => latestRevision ?? "none",
  },
  { header: "Changed", cell: ({ modifiedAt }) => <Time value={modifiedAt} />, isSecondary: true },
];

/** Lists and creates agents. */
export const AgentsPage = () => {
  const tenant = useTenant();
  const navigate = useNavigate();
  const mayWrite = useMay()("agents:write");
  const [isCreating, setIsCreating] = useState(false);
  const list = useAgents();
  const create = mayWrite && (
    <>
      <Button component={Link} to={`/t/${tenant}/templates`} variant="default">
        From a template
      </Button>
      <Button onClick={() => setIsCreating(true)}>Create agent</Button>
    </>
  );
  return (
    <Page title="Agents" actions={create}>
      <ResourceTable
        label="Agents"
        list={list}
        getId={({ id }) => id}
        columns={buildColumns(tenant)}
        empty={
          <EmptyState
            title="No agents yet"
            docs="flows"
            action={
              mayWrite && (
                <Button component={Link} to={`/t/${tenant}/templates`}>
                  Start from a template
                </Button>
              )
            }
          >
            Start from a template that runs, or create an empty agent and add the steps of its flow.
          </EmptyState>
        }
      />
      {isCreating && (
        <AgentDialog
          onSaved={({ id }) => void navigate({ to: `/t/${tenant}/agents/${id}/flow` })}
          onClose={() => setIsCreating(false)}
        />
      )}
    </Page>
  );
};
