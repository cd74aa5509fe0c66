import { NavLink } from "@mantine/core";
import { Link, useRouterState } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { PendingBadge } from "../approval-queries/pending-badge.tsx";
import { useMay, useScopeCatalog } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import {
  AccessIcon,
  AgentIcon,
  ApprovalIcon,
  ConnectorIcon,
  DatasetIcon,
  ExecutionIcon,
  ExperimentIcon,
  GuardrailIcon,
  IntegrationIcon,
  KeyIcon,
  KnowledgeIcon,
  ModelIcon,
  SkillIcon,
  UsageIcon,
  WebhookIcon,
} from "../shared/icons.tsx";

/** A page of the navigation. */
type NavigationItem = {
  label: string;
  icon: ComponentType;
  /** Segment of its address after the tenant. */
  segment: string;
  /** The scope without which the page is not shown. */
  scope: string;
};

const approvalItem: NavigationItem = {
  label: "Approvals",
  icon: ApprovalIcon,
  segment: "approvals",
  scope: "executions:read",
};

/** The pages of the navigation, in its order. */
export const navigationItems: readonly NavigationItem[] = [
  { label: "Agents", icon: AgentIcon, segment: "agents", scope: "agents:read" },
  { label: "Executions", icon: ExecutionIcon, segment: "executions", scope: "executions:read" },
  approvalItem,
  { label: "Webhooks", icon: WebhookIcon, segment: "webhooks", scope: "integrations:read" },
  { label: "Connectors", icon: ConnectorIcon, segment: "connectors", scope: "connectors:read" },
  {
    label: "Access requests",
    icon: AccessIcon,
    segment: "access-requests",
    scope: "chat_users:read",
  },
  { label: "Knowledge", icon: KnowledgeIcon, segment: "knowledge", scope: "assets:read" },
  { label: "Datasets", icon: DatasetIcon, segment: "datasets", scope: "datasets:read" },
  {
    label: "Experiments",
    icon: ExperimentIcon,
    segment: "experiments",
    scope: "datasets:read",
  },
  { label: "Skills", icon: SkillIcon, segment: "skills", scope: "skills:read" },
  {
    label: "Integrations",
    icon: IntegrationIcon,
    segment: "integrations",
    scope: "integrations:read",
  },
  { label: "Models", icon: ModelIcon, segment: "models", scope: "llm_providers:read" },
  { label: "API keys", icon: KeyIcon, segment: "api-keys", scope: "keys:read" },
  { label: "Guardrails", icon: GuardrailIcon, segment: "guardrails", scope: "agents:read" },
  { label: "Usage", icon: UsageIcon, segment: "usage", scope: "revisions:read" },
];

/** The start of a user who may only run agents. */
const runItem: NavigationItem = {
  label: "Run an agent",
  icon: ExecutionIcon,
  segment: "",
  scope: "agents:execute",
};

/** Pages of a user who may only run agents. */
const runItems: readonly NavigationItem[] = [runItem, { ...approvalItem, scope: runItem.scope }];

/** The navigation of a tenant. */
export const Navigation = ({ onNavigate }: { onNavigate: () => void }) => {
  const tenant = useTenant();
  const may = useMay();
  const catalog = useScopeCatalog();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const mine = (items: readonly NavigationItem[]) => items.filter(({ scope }) => may(scope));
  const pages = mine(navigationItems);
  // Pages can be opened although the scopes cannot be read.
  const isUnknown = catalog.data === undefined && catalog.error !== null;
  const known = pages.length > 0 ? pages : mine(runItems);
  const shown = isUnknown ? navigationItems : known;
  return shown.map(({ label, icon: Icon, segment }) => {
    const address = `/t/${encodeURIComponent(tenant)}/${segment}`;
    const isActive = path === address || path.startsWith(`${address}/`);
    return (
      <NavLink
        key={segment}
        component={Link}
        to={address}
        label={label}
        leftSection={<Icon />}
        rightSection={segment === approvalItem.segment ? <PendingBadge /> : undefined}
        active={isActive}
        aria-current={isActive ? "page" : undefined}
        onClick={onNavigate}
      />
    );
  });
};
