import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { tenantRoute } from "../shell/root-route.tsx";

const listRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "api-keys",
  validateSearch: ({ revoked }: Record<string, unknown>): { revoked?: true } =>
    String(revoked) === "true" ? { revoked: true } : {},
  component: lazyRouteComponent(() => import("./api-keys-page.tsx"), "ApiKeysPage"),
});

const historyRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "api-keys/$apiKey/history",
  component: lazyRouteComponent(() => import("./key-history-page.tsx"), "KeyHistoryPage"),
});

/** Pages of the API keys. */
export const apiKeyRoutes = [listRoute, historyRoute] as const;
