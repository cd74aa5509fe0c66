import type { ComponentType } from "react";
import {
  AccessIcon,
  AgentIcon,
  ApprovalIcon,
  ConnectorIcon,
  DatasetIcon,
  ExecutionIcon,
  ExperimentIcon,
  GuardrailIcon,
  HomeIcon,
  IntegrationIcon,
  KeyIcon,
  KnowledgeIcon,
  MemberIcon,
  ModelIcon,
  SkillIcon,
  UsageIcon,
  WebhookIcon,
} from "../shared/icons.tsx";

/** Icons of the pages by their segments. */
const icons: Readonly<Record<string, ComponentType>> = {
  agents: AgentIcon,
  skills: SkillIcon,
  knowledge: KnowledgeIcon,
  integrations: IntegrationIcon,
  models: ModelIcon,
  executions: ExecutionIcon,
  approvals: ApprovalIcon,
  webhooks: WebhookIcon,
  connectors: ConnectorIcon,
  "access-requests": AccessIcon,
  datasets: DatasetIcon,
  experiments: ExperimentIcon,
  "api-keys": KeyIcon,
  members: MemberIcon,
  guardrails: GuardrailIcon,
  usage: UsageIcon,
};

/** Shows the icon of a page; that of the start for a page without one. */
export const NavigationIcon = ({ segment }: { segment: string }) => {
  const Icon = icons[segment] ?? HomeIcon;
  return <Icon />;
};
