import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { tenantRoute } from "../shell/root-route.tsx";
import {
  parseExperimentSearch,
  parseExperimentsSearch,
  parseNewExperimentSearch,
} from "./search.ts";

const listRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "experiments",
  validateSearch: parseExperimentsSearch,
  component: lazyRouteComponent(() => import("./experiments-page.tsx"), "ExperimentsPage"),
});

const startRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "experiments/new",
  validateSearch: parseNewExperimentSearch,
  component: lazyRouteComponent(() => import("./start-experiment-page.tsx"), "StartExperimentPage"),
});

const experimentRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "experiments/$experiment",
  validateSearch: parseExperimentSearch,
  component: lazyRouteComponent(() => import("./experiment-page.tsx"), "ExperimentPage"),
});

/** Pages of the experiments and scorers. */
export const experimentRoutes = [listRoute, startRoute, experimentRoute] as const;
