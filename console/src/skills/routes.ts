import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { tenantRoute } from "../shell/root-route.tsx";

const listRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "skills",
  component: lazyRouteComponent(() => import("./skills-page.tsx"), "SkillsPage"),
});

const skillRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "skills/$skill",
  component: lazyRouteComponent(() => import("./skill-page.tsx"), "SkillPage"),
});

/** Pages of the skills. */
export const skillRoutes = [listRoute, skillRoute] as const;
