import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { tenantRoute } from "../shell/root-route.tsx";
import { parseUsageSearch } from "./search.ts";

/** Pages of usage. */
export const usageRoutes = [
  createRoute({
    getParentRoute: () => tenantRoute,
    path: "usage",
    validateSearch: parseUsageSearch,
    component: lazyRouteComponent(() => import("./usage-page.tsx"), "UsagePage"),
  }),
] as const;
