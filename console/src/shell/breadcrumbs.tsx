import { Anchor, Breadcrumbs as Crumbs, Text } from "@mantine/core";
import { Link, useRouterState } from "@tanstack/react-router";
import { listCrumbs } from "./list-crumbs.ts";

/** Shows the way to the page, with links to the pages above it. */
export const Breadcrumbs = () => {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const crumbs = listCrumbs(path);
  if (crumbs.length === 0) return null;
  return (
    <nav aria-label="Breadcrumbs">
      <Crumbs mb="xs" separator="/" separatorMargin={6}>
        {crumbs.map(({ label, address }, at) =>
          address === undefined ? (
            <Text
              key={`${at} ${label}`}
              size="sm"
              c="dimmed"
              aria-current={at === crumbs.length - 1 ? "page" : undefined}
            >
              {label}
            </Text>
          ) : (
            <Anchor key={`${at} ${label}`} size="sm" inherit={false} component={Link} to={address}>
              {label}
            </Anchor>
          ),
        )}
      </Crumbs>
    </nav>
  );
};
