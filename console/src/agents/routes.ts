import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { tenantRoute } from "../app/root-route.tsx";

const listRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "agents",
  component: lazyRouteComponent(() => import("./agents-page.tsx"), "AgentsPage"),
});

/** Pages of the agents. */
export const agentRoutes = [listRoute] as const;
