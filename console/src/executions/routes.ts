import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import type { ExecutionStatus } from "../../../client/openapi.ts";
import { tenantRoute } from "../app/root-route.tsx";
import { statuses } from "./status.ts";

/** Filters in the address. */
export type ExecutionSearch = { agent?: string; status?: ExecutionStatus };

const listRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "executions",
  validateSearch: ({ agent, status }: Record<string, unknown>): ExecutionSearch => {
    const known = statuses.find((each) => each === status);
    return {
      ...(typeof agent === "string" && { agent }),
      ...(known !== undefined && { status: known }),
    };
  },
  component: lazyRouteComponent(() => import("./executions-page.tsx"), "ExecutionsPage"),
});

const executionRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "executions/$agent/$executionRecord",
  component: lazyRouteComponent(() => import("./execution-page.tsx"), "ExecutionPage"),
});

/** Pages of the executions. */
export const executionRoutes = [listRoute, executionRoute] as const;
