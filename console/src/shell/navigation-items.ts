/** A page of the navigation. */
export type NavigationItem = {
  label: string;
  /** Segment of its address after the tenant. */
  segment: string;
  /** The scope without which the page is not shown. */
  scope: string;
};

/** Pages under a heading. */
export type NavigationGroup = { label: string; items: readonly NavigationItem[] };

/** Decisions that wait for people. */
export const approvalItem: NavigationItem = {
  label: "Approvals",

  segment: "approvals",
  scope: "executions:read",
};

/** The groups of the navigation, in their order. */
export const navigationGroups: readonly NavigationGroup[] = [
  {
    label: "Build",
    items: [
      { label: "Agents", segment: "agents", scope: "agents:read" },
      { label: "Skills", segment: "skills", scope: "skills:read" },
      { label: "Knowledge", segment: "knowledge", scope: "assets:read" },
      {
        label: "Integrations",

        segment: "integrations",
        scope: "integrations:read",
      },
      { label: "Models", segment: "models", scope: "llm_providers:read" },
    ],
  },
  {
    label: "Run",
    items: [
      { label: "Executions", segment: "executions", scope: "executions:read" },
      approvalItem,
      { label: "Webhooks", segment: "webhooks", scope: "integrations:read" },
      { label: "Connectors", segment: "connectors", scope: "connectors:read" },
      {
        label: "Access requests",

        segment: "access-requests",
        scope: "chat_users:read",
      },
    ],
  },
  {
    label: "Evaluate",
    items: [
      { label: "Datasets", segment: "datasets", scope: "datasets:read" },
      {
        label: "Experiments",

        segment: "experiments",
        scope: "datasets:read",
      },
    ],
  },
  {
    label: "Settings",
    items: [
      { label: "API keys", segment: "api-keys", scope: "keys:read" },
      { label: "Members", segment: "members", scope: "agents:read" },
      { label: "Guardrails", segment: "guardrails", scope: "agents:read" },
      { label: "Usage", segment: "usage", scope: "revisions:read" },
    ],
  },
];

/** The pages of the navigation, in its order. */
export const navigationItems: readonly NavigationItem[] = navigationGroups.flatMap(
  ({ items }) => items,
);

/** The start of a tenant, above its pages. */
export const homeItem: NavigationItem = { label: "Home", segment: "", scope: "" };

/** The start of a user who may only run agents. */
const runItem: NavigationItem = {
  label: "Run an agent",

  segment: "",
  scope: "agents:execute",
};

/** Pages of a user who may only run agents. */
const runItems: readonly NavigationItem[] = [runItem, { ...approvalItem, scope: runItem.scope }];

/** The groups that a user sees; the first one has no heading. All of them while the scopes are unknown. */
export const listGroups = (
  may: (scope: string) => boolean,
  isUnknown: boolean,
): readonly NavigationGroup[] => {
  const groups = navigationGroups
    .map(({ label, items }) => ({
      label,
      items: isUnknown ? items : items.filter(({ scope }) => may(scope)),
    }))
    .filter(({ items }) => items.length > 0);
  return groups.length > 0
    ? [{ label: "", items: [homeItem] }, ...groups]
    : [{ label: "", items: runItems.filter(({ scope }) => may(scope)) }];
};
