import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { tenantRoute } from "../app/root-route.tsx";
import { usageSearchOf } from "./search.ts";

/** Pages of usage. */
export const usageRoutes = [
  createRoute({
    getParentRoute: () => tenantRoute,
    path: "usage",
    validateSearch: usageSearchOf,
    component: lazyRouteComponent(() => import("./usage-page.tsx"), "UsagePage"),
  }),
] as const;
