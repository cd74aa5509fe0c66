import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { tenantRoute } from "../shell/root-route.tsx";

/** Parent of the tabs of an agent. */
export const agentRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "agents/$agent",
  component: lazyRouteComponent(() => import("./agent-layout.tsx"), "AgentLayout"),
});
