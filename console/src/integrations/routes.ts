import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { tenantRoute } from "../shell/root-route.tsx";

const listRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "integrations",
  component: lazyRouteComponent(() => import("./integrations-page.tsx"), "IntegrationsPage"),
});

const toolsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "integrations/$integration/tools",
  component: lazyRouteComponent(() => import("./tools-page.tsx"), "ToolsPage"),
});

const configRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "integrations/configs/$config",
  component: lazyRouteComponent(() => import("./config-page.tsx"), "ConfigPage"),
});

/** Pages of the integrations. */
export const integrationRoutes = [listRoute, toolsRoute, configRoute] as const;
