import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { tenantRoute } from "../shell/root-route.tsx";

const sessionRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "sessions/$agent/$session",
  component: lazyRouteComponent(() => import("./session-page.tsx"), "SessionPage"),
});

/** Pages of the sessions of agents. */
export const conversationRoutes = [sessionRoute] as const;
