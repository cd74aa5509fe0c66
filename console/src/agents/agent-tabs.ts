import type { CollaboratorRole } from "../../../client/openapi.ts";

/** A tab of an agent. */
export type AgentTab = {
  label: string;
  /** Segment of its address after the agent. */
  segment: string;
  /** The scope without which the tab is not shown. */
  scope: string;
  /** The least role of a collaborator that the tab is shown to; Viewer by default. */
  role?: CollaboratorRole;
};

/** The tabs of an agent, in their order. */
export const agentTabs: readonly AgentTab[] = [
  { label: "Flow", segment: "flow", scope: "revisions:read" },
  { label: "Revisions", segment: "revisions", scope: "revisions:read" },
  { label: "Try it", segment: "try", scope: "agents:execute", role: "Editor" },
  { label: "Executions", segment: "executions", scope: "executions:read" },
  { label: "Sessions", segment: "sessions", scope: "executions:read" },
  { label: "Memories", segment: "memories", scope: "executions:read" },
  { label: "Cost", segment: "cost", scope: "revisions:read" },
  { label: "Collaborators", segment: "collaborators", scope: "agents:read" },
  { label: "Connectors", segment: "connectors", scope: "connectors:read" },
  { label: "Schedules", segment: "schedules", scope: "revisions:read" },
];
