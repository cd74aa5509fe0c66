import { Group, Tabs } from "@mantine/core";
import { Outlet, useNavigate, useParams, useRouterState } from "@tanstack/react-router";
import { useState } from "react";
import type { Agent } from "../../../client/openapi.ts";
import { PageLoader } from "../app/page-loader.tsx";
import { useTenant } from "../app/tenant.ts";
import { useMay } from "../session/permissions.ts";
import { Page } from "../shared/page.tsx";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { RowMenu } from "../shared/row-menu.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { agentTabs } from "./agent-tabs.ts";
import { DeleteAgentDialog } from "./delete-agent-dialog.tsx";
import { EditAgentDialog } from "./edit-agent-dialog.tsx";
import { useAgent } from "./use-agents.ts";

/** Frame of the tabs of an agent. */
export const AgentLayout = () => {
  const { agent: id } = useParams({ from: "/t/$tenant/agents/$agent" });
  const { data: agent, error } = useAgent(id);
  if (error) return <ProblemAlert error={error} />;
  if (!agent) return <PageLoader />;
  return (
    <Page
      title={agent.displayName}
      description={agent.description ?? undefined}
      actions={<AgentActions agent={agent} />}
    >
      <AgentTabList agent={id} />
      <Outlet />
    </Page>
  );
};

const AgentActions = ({ agent }: { agent: Agent }) => {
  const mayWrite = useMay()("agents:write");
  const [open, setOpen] = useState<"edit" | "delete">();
  const close = (): void => setOpen(undefined);
  return (
    <Group gap="xs">
      {agent.deployedRevision === null ? (
        <StatusBadge status="Not deployed" kind="idle" />
      ) : (
        <StatusBadge status={`Revision ${agent.deployedRevision} deployed`} kind="good" />
      )}
      {mayWrite && (
        <RowMenu
          name={agent.displayName}
          actions={[
            { label: "Edit", onClick: () => setOpen("edit") },
            { label: "Delete", onClick: () => setOpen("delete"), isDangerous: true },
          ]}
        />
      )}
      {open === "edit" && <EditAgentDialog agent={agent} onClose={close} />}
      {open === "delete" && <DeleteAgentDialog agent={agent} onClose={close} />}
    </Group>
  );
};

const AgentTabList = ({ agent }: { agent: string }) => {
  const tenant = useTenant();
  const may = useMay();
  const navigate = useNavigate();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const address = `/t/${encodeURIComponent(tenant)}/agents/${encodeURIComponent(agent)}`;
  const tabs = agentTabs.filter(({ scope }) => may(scope));
  const active = tabs.find(({ segment }) => path.startsWith(`${address}/${segment}`));
  return (
    <Tabs
      value={active?.segment ?? null}
      onChange={(segment) => void navigate({ to: `${address}/${segment}` })}
      activateTabWithKeyboard={false}
    >
      <Tabs.List>
        {tabs.map(({ label, segment }) => (
          <Tabs.Tab key={segment} value={segment} aria-controls="main">
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
};
