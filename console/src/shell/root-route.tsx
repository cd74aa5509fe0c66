import { createRootRouteWithContext, createRoute, Outlet, redirect } from "@tanstack/react-router";
import type { Session } from "../session/session.ts";
import { firstTenant } from "./first-tenant.ts";
import { NotFoundPage } from "./not-found-page.tsx";
import { Shell } from "./shell.tsx";

/** Context of the routes, available before they are shown. */
export type RouteContext = { session: Session };

export const rootRoute = createRootRouteWithContext<RouteContext>()({
  component: Outlet,
  notFoundComponent: NotFoundPage,
});

/** The start: leads to the start of a tenant, or asks for one. */
export const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  loader: async ({ context }) => {
    const tenant = await firstTenant(context.session);
    if (tenant !== undefined) throw redirect({ to: "/t/$tenant", params: { tenant } });
  },
}).lazy(() => import("./choose-tenant-page.tsx").then(({ lazyRoute }) => lazyRoute));

/** Parent of all pages of a tenant. */
export const tenantRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/t/$tenant",
  component: Shell,
  notFoundComponent: NotFoundPage,
});
