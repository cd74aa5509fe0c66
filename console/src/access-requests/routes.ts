import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { tenantRoute } from "../shell/root-route.tsx";
import { type ShownStatus, shownStatuses } from "./shown-status.ts";

/** Filters in the address; without a status, pending requests are shown. */
export type AccessRequestSearch = { agent?: string; status?: ShownStatus };

const listRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "access-requests",
  validateSearch: ({ agent, status }: Record<string, unknown>): AccessRequestSearch => {
    const known = shownStatuses.find((shown) => shown === status);
    return {
      ...(typeof agent === "string" && { agent }),
      ...(known !== undefined && known !== "Pending" && { status: known }),
    };
  },
  component: lazyRouteComponent(() => import("./access-requests-page.tsx"), "AccessRequestsPage"),
});

/** Pages of the access requests. */
export const accessRequestRoutes = [listRoute] as const;
