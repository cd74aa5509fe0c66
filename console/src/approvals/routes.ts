import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { type ShownApprovalStatus, shownApprovalStatuses } from "../approval-queries/status.ts";
import { tenantRoute } from "../shell/root-route.tsx";

/** Filter in the address; without a status, the pending approvals that the user may decide are shown. */
export type ApprovalSearch = { status?: ShownApprovalStatus };

const listRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "approvals",
  validateSearch: ({ status }: Record<string, unknown>): ApprovalSearch => {
    const known = shownApprovalStatuses.find((shown) => shown === status);
    return known === undefined ? {} : { status: known };
  },
  component: lazyRouteComponent(() => import("./approvals-page.tsx"), "ApprovalsPage"),
});

const approvalRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "approvals/$approval",
  component: lazyRouteComponent(() => import("./approval-page.tsx"), "DecideApprovalPage"),
});

/** Pages of the approvals. */
export const approvalRoutes = [listRoute, approvalRoute] as const;
