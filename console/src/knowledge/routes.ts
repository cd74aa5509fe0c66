import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { tenantRoute } from "../app/root-route.tsx";

const listRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "knowledge",
  component: lazyRouteComponent(() => import("./knowledge-page.tsx"), "KnowledgePage"),
});

/** Initial values of the form of an estimate. */
type EstimateSearch = { type?: string; agent?: string };

const estimateRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "knowledge/estimate",
  validateSearch: ({ type, agent }: Record<string, unknown>): EstimateSearch => ({
    ...(typeof type === "string" && { type }),
    ...(typeof agent === "string" && { agent }),
  }),
  component: lazyRouteComponent(() => import("./estimate-page.tsx"), "EstimatePage"),
});

/** Pages of the knowledge. */
export const knowledgeRoutes = [listRoute, estimateRoute] as const;
