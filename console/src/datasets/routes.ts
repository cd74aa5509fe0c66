import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { tenantRoute } from "../shell/root-route.tsx";
import { parseDatasetSearch } from "./dataset-search.ts";

const listRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "datasets",
  component: lazyRouteComponent(() => import("./datasets-page.tsx"), "DatasetsPage"),
});

const datasetRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "datasets/$dataset",
  validateSearch: parseDatasetSearch,
  component: lazyRouteComponent(() => import("./dataset-page.tsx"), "DatasetPage"),
});

/** Pages of the datasets. */
export const datasetRoutes = [listRoute, datasetRoute] as const;
