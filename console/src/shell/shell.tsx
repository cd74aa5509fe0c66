import { AppShell, Burger, Group, Text, VisuallyHidden } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Outlet } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { useScopeCatalog } from "../session/permissions.ts";
import { SessionEnded } from "../session/session-ended.tsx";
import { useTenant } from "../session/tenant.ts";
import { Breadcrumbs } from "./breadcrumbs.tsx";
import { rememberTenant } from "./first-tenant.ts";
import { Navigation } from "./navigation.tsx";
import { PaletteButton } from "./palette-button.tsx";
import classes from "./shell.module.css";
import { TenantSwitcher } from "./tenant-switcher.tsx";
import { UserMenu } from "./user-menu.tsx";

const ReadProblem = lazy(() =>
  import("../shared/read-problem.tsx").then(({ ReadProblem: component }) => ({
    default: component,
  })),
);

/** Frame of all pages of a tenant: tenant switcher, navigation, the user's menu. */
export const Shell = () => {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const tenant = useTenant();
  const catalog = useScopeCatalog();
  useEffect(() => rememberTenant(tenant), [tenant]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label="Navigation"
              aria-expanded={isOpen}
            />
            <img src="/console/favicon.svg" alt="" width={28} height={28} />
            <Text fw={700} size="lg" visibleFrom="sm">
              Wharf
            </Text>
            <TenantSwitcher />
          </Group>
          <Group gap="sm" wrap="nowrap">
            <PaletteButton />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages" style={{ overflowY: "auto" }}>
        <VisuallyHidden component="h2">Pages</VisuallyHidden>
        <Navigation onNavigate={close} />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className={classes.main}>
        {catalog.data === undefined && catalog.error && (
          <Suspense>
            <ReadProblem error={catalog.error} />
          </Suspense>
        )}
        <Breadcrumbs />
        <Outlet />
      </AppShell.Main>
      <SessionEnded />
    </AppShell>
  );
};
