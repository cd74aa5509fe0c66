import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { tenantRoute } from "../shell/root-route.tsx";

const membersRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "members",
  component: lazyRouteComponent(() => import("./members-page.tsx"), "MembersPage"),
});

/** Page of the users with roles. */
export const memberRoutes = [membersRoute] as const;
