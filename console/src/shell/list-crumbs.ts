import { navigationItems } from "./navigation-items.ts";

/** A part of the way to a page; without an address where it is the page itself, or no page. */
export type Crumb = { label: string; address?: string };

const names: Readonly<Record<string, string>> = {
  try: "Try it",
  "start-experiment": "Start experiment",
  sessions: "Sessions",
  templates: "Templates",
  scorers: "Scorers",
};

/** Segments of addresses that are no page, and their places. */
const folders: Readonly<Record<string, { name: string; at: number }>> = {
  integrations: { name: "configs", at: 0 },
  knowledge: { name: "assets", at: 0 },
  guardrails: { name: "details", at: 0 },
  webhooks: { name: "deliveries", at: 1 },
};

/** Pages with an agent as the next segment. The page of the agent is elsewhere. */
const ofAgents: ReadonlySet<string> = new Set(["executions", "sessions", "connectors"]);

/** Pages with pages of their own below them. */
const withPages: ReadonlySet<string> = new Set(["agents", "webhooks"]);

/** Pages with views as the last segment. */
const withTabs: ReadonlySet<string> = new Set(["agents", "integrations", "api-keys"]);

const isUuid = (text: string): boolean => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text);

const toLabel = (segment: string): string => {
  if (isUuid(segment)) return segment.slice(0, 8);
  return names[segment] ?? segment;
};

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Lists the way to a page from its path below the tenant; none for a page of the navigation. */
export const listCrumbs = (path: string): Crumb[] => {
  const [, t, tenant, first = "", ...rest] = path.split("/");
  if (t !== "t" || tenant === undefined || rest.filter(Boolean).length === 0) return [];
  const base = `/t/${tenant}/${first}`;
  const page = navigationItems.find(({ segment }) => segment === first);
  const start: Crumb = page
    ? { label: page.label, address: base }
    : { label: capitalized(names[first] ?? first) };
  const segments = rest.filter(Boolean).map(decodeURIComponent);
  const folder = folders[first];
  const decoded = segments.filter((segment, at) => segment !== folder?.name || at !== folder.at);
  return [
    start,
    ...decoded.map((segment, at): Crumb => {
      const isLast = at === decoded.length - 1;
      const label = toLabel(segment);
      const isTab = withTabs.has(first) && at === 1;
      if (isLast) return { label: isTab ? capitalized(label) : label };
      const encoded = encodeURIComponent(segment);
      if (ofAgents.has(first)) return { label, address: `/t/${tenant}/agents/${encoded}` };
      return at === 0 && withPages.has(first)
        ? { label, address: `${base}/${encoded}` }
        : { label };
    }),
  ];
};
