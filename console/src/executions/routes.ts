import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { tenantRoute } from "../shell/root-route.tsx";
import { parseExecutionSearch } from "./search.ts";

const listRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "executions",
  validateSearch: parseExecutionSearch,
  component: lazyRouteComponent(() => import("./executions-page.tsx"), "ExecutionsPage"),
});

const executionRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "executions/$agent/$executionRecord",
  validateSearch: ({ span }: Record<string, unknown>): { span?: string | undefined } =>
    typeof span === "string" ? { span } : {},
  component: lazyRouteComponent(() => import("./execution-page.tsx"), "ExecutionPage"),
});

/** Pages of the executions. */
export const executionRoutes = [listRoute, executionRoute] as const;
