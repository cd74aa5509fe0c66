import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { tenantRoute } from "../shell/root-route.tsx";
import { type AssetSearch, parseAssetSearch } from "./asset-search.ts";

const listRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "knowledge",
  component: lazyRouteComponent(() => import("./knowledge-page.tsx"), "KnowledgePage"),
});

/** Initial values of the form of a new asset: the type of its source, and the id that revisions name. */
type NewAssetSearch = { type?: string; id?: string };

const createAssetRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "knowledge/new",
  validateSearch: ({ type, id }: Record<string, unknown>): NewAssetSearch => ({
    ...(typeof type === "string" && { type }),
    ...(typeof id === "string" && { id }),
  }),
  component: lazyRouteComponent(() => import("./create-asset-page.tsx"), "CreateAssetPage"),
});

const assetRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "knowledge/assets/$asset",
  validateSearch: (search: Record<string, unknown>): AssetSearch => parseAssetSearch(search),
  component: lazyRouteComponent(() => import("./asset-page.tsx"), "AssetPage"),
});

/** Pages of the knowledge. */
export const knowledgeRoutes = [listRoute, createAssetRoute, assetRoute] as const;
