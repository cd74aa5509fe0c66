import { NavLink, Text } from "@mantine/core";
import { Link, useRouterState } from "@tanstack/react-router";
import { PendingBadge } from "../approval-queries/pending-badge.tsx";
import { useMay, useScopeCatalog } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { NavigationIcon } from "./navigation-icon.tsx";
import { approvalItem, listGroups, type NavigationItem } from "./navigation-items.ts";

type NavigationProps = { onNavigate: () => void };

/** The navigation of a tenant, in groups. */
export const Navigation = ({ onNavigate }: NavigationProps) => {
  const may = useMay();
  const catalog = useScopeCatalog();
  // Pages can be opened although the scopes cannot be read.
  const isUnknown = catalog.data === undefined && catalog.error !== null;
  return listGroups(may, isUnknown).map(({ label, items }) => (
    <div key={label}>
      {label !== "" && (
        <Text component="h3" m={0} size="xs" fw={600} c="dimmed" px="sm" pt="sm" pb={4}>
          {label}
        </Text>
      )}
      {items.map((item) => (
        <PageLink key={item.segment} item={item} onNavigate={onNavigate} />
      ))}
    </div>
  ));
};

const PageLink = ({ item, onNavigate }: NavigationProps & { item: NavigationItem }) => {
  const { label, segment } = item;
  const tenant = useTenant();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const address = `/t/${encodeURIComponent(tenant)}/${segment}`;
  const isActive =
    path === address || (segment === "" ? `${path}/` === address : path.startsWith(`${address}/`));
  return (
    <NavLink
      component={Link}
      to={address}
      activeOptions={{ exact: segment === "" }}
      label={label}
      leftSection={<NavigationIcon segment={segment} />}
      rightSection={segment === approvalItem.segment ? <PendingBadge /> : undefined}
      active={isActive}
      aria-current={isActive ? "page" : undefined}
      onClick={onNavigate}
    />
  );
};
