import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { tenantRoute } from "../shell/root-route.tsx";

const pageRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "docs/$page",
  component: lazyRouteComponent(() => import("./doc-page.tsx"), "DocPage"),
});

/** Pages of the documentation. */
export const docRoutes = [pageRoute] as const;
