import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { tenantRoute } from "../shell/root-route.tsx";

const listRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "models",
  component: lazyRouteComponent(() => import("./models-page.tsx"), "ModelsPage"),
});

/** Pages of the language models. */
export const modelRoutes = [listRoute] as const;
