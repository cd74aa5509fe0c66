import "@mantine/spotlight/styles.css";
import { Spotlight, type SpotlightActionGroupData, spotlight } from "@mantine/spotlight";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useAgents } from "../agent-queries/use-agents.ts";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { SearchIcon } from "../shared/icons.tsx";
import { NavigationIcon } from "./navigation-icon.tsx";
import { listGroups } from "./navigation-items.ts";

/** Finds pages and agents by name. Opens when it is loaded, and with Ctrl+K or Command+K. */
export const CommandPalette = () => {
  const tenant = useTenant();
  const navigate = useNavigate();
  const may = useMay();
  const agents = useAgents();
  useEffect(() => spotlight.open(), []);
  const base = `/t/${encodeURIComponent(tenant)}`;
  const open = (address: string): void => void navigate({ to: address });
  const pages: SpotlightActionGroupData[] = listGroups(may, false).map(({ label, items }) => ({
    group: label || "Home",
    actions: items.map((item) => ({
      id: `page-${item.segment}`,
      label: item.label,
      leftSection: <NavigationIcon segment={item.segment} />,
      onClick: () => open(`${base}/${item.segment}`),
    })),
  }));
  const found: SpotlightActionGroupData = {
    group: "Agents",
    actions: agents.items.flatMap(({ id, displayName }) => {
      const address = `${base}/agents/${encodeURIComponent(id)}`;
      return [
        {
          id: `agent-${id}`,
          label: displayName,
          description: id,
          onClick: () => open(`${address}/flow`),
        },
        {
          id: `try-${id}`,
          label: `Try ${displayName}`,
          description: id,
          onClick: () => open(`${address}/try`),
        },
        {
          id: `executions-${id}`,
          label: `Executions of ${displayName}`,
          description: id,
          onClick: () => open(`${address}/executions`),
        },
      ];
    }),
  };
  return (
    <Spotlight
      actions={agents.items.length > 0 ? [...pages, found] : pages}
      attributes={{ content: { "aria-label": "Go to" } }}
      nothingFound="No page or agent has this name."
      limit={12}
      scrollable
      maxHeight={420}
      shortcut="mod + K"
      highlightQuery
      searchProps={{
        leftSection: <SearchIcon />,
        placeholder: "Go to a page or an agent",
        "aria-label": "Go to",
      }}
    />
  );
};
