import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { tenantRoute } from "../shell/root-route.tsx";

const startRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "/",
  validateSearch: ({ agent }: Record<string, unknown>): { agent?: string } =>
    typeof agent === "string" ? { agent } : {},
  component: lazyRouteComponent(() => import("./start-page.tsx"), "StartPage"),
});

/** The start of a tenant. */
export const startRoutes = [startRoute] as const;
