import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { tenantRoute } from "../shell/root-route.tsx";

const listRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "guardrails",
  component: lazyRouteComponent(() => import("./guardrails-page.tsx"), "GuardrailsPage"),
});

const createGuardrailRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "guardrails/new",
  component: lazyRouteComponent(() => import("./create-guardrail-page.tsx"), "CreateGuardrailPage"),
});

const guardrailRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "guardrails/details/$guardrail",
  component: lazyRouteComponent(() => import("./guardrail-page.tsx"), "GuardrailPage"),
});

/** Pages of the guardrails. */
export const guardrailRoutes = [listRoute, createGuardrailRoute, guardrailRoute] as const;
