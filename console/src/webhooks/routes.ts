import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { tenantRoute } from "../shell/root-route.tsx";
import { webhookProviders } from "./providers.ts";

const listRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "webhooks",
  validateSearch: ({ provider }: Record<string, unknown>): { provider?: string } => {
    const known = webhookProviders.find(({ id }) => id === provider);
    return known ? { provider: known.id } : {};
  },
  component: lazyRouteComponent(() => import("./webhooks-page.tsx"), "WebhooksPage"),
});

const webhookRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "webhooks/$webhook",
  component: lazyRouteComponent(() => import("./webhook-page.tsx"), "WebhookPage"),
});

const deliveryRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "webhooks/$webhook/deliveries/$delivery",
  component: lazyRouteComponent(() => import("./delivery-page.tsx"), "DeliveryPage"),
});

/** Pages of the webhooks. */
export const webhookRoutes = [listRoute, webhookRoute, deliveryRoute] as const;
