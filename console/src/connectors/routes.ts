import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { tenantRoute } from "../shell/root-route.tsx";

const listRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "connectors",
  validateSearch: ({ agent }: Record<string, unknown>): { agent?: string } =>
    typeof agent === "string" ? { agent } : {},
  component: lazyRouteComponent(() => import("./connectors-page.tsx"), "ConnectorsPage"),
});

const connectorRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "connectors/$agent/$connector",
  component: lazyRouteComponent(() => import("./connector-page.tsx"), "ConnectorPage"),
});

/** Pages of the connectors. */
export const connectorRoutes = [listRoute, connectorRoute] as const;
