import { Button, Group, Tabs } from "@mantine/core";
import { Outlet, useNavigate, useParams, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import type { Agent } from "../../../client/openapi.ts";
import { useAgent } from "../agent-queries/use-agents.ts";
import { useMayAt, useRightsAt } from "../agent-queries/use-may-at.ts";
import { useTenant } from "../session/tenant.ts";
import { Page } from "../shared/page.tsx";
import { PageLoader } from "../shared/page-loader.tsx";
import { ReadProblem } from "../shared/read-problem.tsx";
import { type RowAction, RowMenu } from "../shared/row-menu.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { AgentDialog } from "./agent-dialog.tsx";
import classes from "./agent-layout.module.css";
import { agentTabs } from "./agent-tabs.ts";
import { DeleteAgentDialog } from "./delete-agent-dialog.tsx";

/** Frame of the tabs of an agent. */
export const AgentLayout = () => {
  const { tenant, agent: id } = useParams({ from: "/t/$tenant/agents/$agent" });
  const { data: agent, error } = useAgent(id);
  // Read together with the agent; every tab needs them.
  useRightsAt(id);
  // A page with typed text stays if a later read fails.
  if (!agent) return error ? <ReadProblem error={error} /> : <PageLoader />;
  return (
    <Page
      title={agent.displayName}
      back={`/t/${tenant}/agents`}
      description={agent.description ?? undefined}
      actions={<AgentActions agent={agent} />}
    >
      <ReadProblem error={error} />
      <AgentTabList agent={id} />
      <Outlet />
    </Page>
  );
};

const UseAgentDialog = lazy(() =>
  import("./use-agent/use-agent-dialog.tsx").then(({ UseAgentDialog: component }) => ({
    default: component,
  })),
);

const AgentActions = ({ agent }: { agent: Agent }) => {
  const mayAt = useMayAt(agent.id);
  const [open, setOpen] = useState<"edit" | "delete" | "use">();
  const close = (): void => setOpen(undefined);
  const actions: RowAction[] = [
    ...(mayAt("agents:write") ? [{ label: "Edit", onClick: () => setOpen("edit") }] : []),
    ...(mayAt("agents:write", "Owner")
      ? [{ label: "Delete", onClick: () => setOpen("delete"), isDangerous: true }]
      : []),
  ];
  return (
    <Group gap="xs">
      {agent.deployedRevision === null ? (
        <StatusBadge status="Not deployed" kind="idle" />
      ) : (
        <StatusBadge status={`Revision ${agent.deployedRevision} deployed`} kind="good" />
      )}
      <Button size="xs" variant="default" onClick={() => setOpen("use")}>
        Use this agent
      </Button>
      <RowMenu name={agent.displayName} actions={actions} />
      {open === "edit" && <AgentDialog agent={agent} onSaved={close} onClose={close} />}
      {open === "use" && (
        <Suspense>
          <UseAgentDialog agent={agent} onClose={close} />
        </Suspense>
      )}
      {open === "delete" && <DeleteAgentDialog agent={agent} onClose={close} />}
    </Group>
  );
};

const AgentTabList = ({ agent }: { agent: string }) => {
  const tenant = useTenant();
  const mayAt = useMayAt(agent);
  const navigate = useNavigate();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const address = `/t/${encodeURIComponent(tenant)}/agents/${encodeURIComponent(agent)}`;
  const tabs = agentTabs.filter(({ scope, role = "Viewer" }) => mayAt(scope, role));
  const active = tabs.find(({ segment }) => path.startsWith(`${address}/${segment}`));
  const list = useRef<HTMLDivElement>(null);
  const segment = active?.segment;
  useEffect(() => {
    const tab = segment && list.current?.querySelector("[data-active]");
    if (tab) tab.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [segment]);
  return (
    <Tabs
      value={active?.segment ?? null}
      onChange={(segment) => void navigate({ to: `${address}/${segment}` })}
      activateTabWithKeyboard={false}
    >
      <Tabs.List ref={list} className={classes.tabs ?? ""}>
        {tabs.map(({ label, segment }) => (
          <Tabs.Tab key={segment} value={segment} aria-controls="main">
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
};
