import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { tenantRoute } from "../shell/root-route.tsx";

const listRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "templates",
  validateSearch: ({ template }: Record<string, unknown>): { template?: string } =>
    typeof template === "string" ? { template } : {},
  component: lazyRouteComponent(() => import("./templates-page.tsx"), "TemplatesPage"),
});

/** Pages of the templates. */
export const templateRoutes = [listRoute] as const;
