import * as z from "zod";
import { routesOf } from "../../lib/edge/route.ts";
import { Uuid } from "../../lib/platform/http/ids.ts";
import { pagingQuery } from "../../lib/platform/http/paging.ts";
import { webhookProviderIds } from "../../lib/webhooks/providers/index.ts";
import {
  CreateSubscriptionBody,
  CreateWebhookBody,
  Delivery,
  DeliveryPage,
  Subscription,
  SubscriptionList,
  UpdateWebhookBody,
  Webhook,
  WebhookList,
} from "../../lib/webhooks/webhook/schemas.ts";

const route = routesOf("webhooks");
const webhook = Uuid.meta({ example: "0193f0a0-7c4b-7000-8000-000000000002" });
const delivery = Uuid.meta({ example: "0193f0a0-7c4b-7000-8000-000000000003" });
const subscription = Uuid.meta({ example: "0193f0a0-7c4b-7000-8000-000000000004" });

export const listWebhooks = route({
  operation: "list-webhooks",
  method: "GET",
  path: "/v1/tenants/{tenant}/webhooks",
  summary: "List webhooks, newest first",
  scope: "integrations:read",
  query: {
    provider: z
      .enum(webhookProviderIds, { error: `must be one of ${webhookProviderIds.join(", ")}` })
      .optional()
      .meta({ description: "Only those of this provider." }),
  },
  response: { status: 200, schema: WebhookList },
  access: { table: "read" },
});

export const createWebhook = route({
  operation: "create-webhook",
  method: "POST",
  path: "/v1/tenants/{tenant}/webhooks",
  summary: "Create a webhook",
  scope: "integrations:write",
  body: CreateWebhookBody,
  response: { status: 201, schema: Webhook },
  shownOnce: ["signingSecret"],
  problems: ["conflict"],
  access: { table: "write", secrets: "seal", publishes: ["registrations"] },
});

export const getWebhook = route({
  operation: "get-webhook",
  method: "GET",
  path: "/v1/tenants/{tenant}/webhooks/{webhook}",
  summary: "Read one webhook",
  scope: "integrations:read",
  params: { webhook },
  response: { status: 200, schema: Webhook },
  access: { table: "read" },
});

export const updateWebhook = route({
  operation: "update-webhook",
  method: "PATCH",
  path: "/v1/tenants/{tenant}/webhooks/{webhook}",
  summary: "Change a webhook, or its signing secret",
  scope: "integrations:write",
  params: { webhook },
  body: UpdateWebhookBody,
  response: { status: 200, schema: Webhook },
  shownOnce: ["signingSecret"],
  problems: ["conflict"],
  access: { table: "write", secrets: "seal", publishes: ["registrations"] },
});

export const deleteWebhook = route({
  operation: "delete-webhook",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/webhooks/{webhook}",
  summary: "Delete a webhook with its subscriptions and deliveries",
  scope: "integrations:write",
  params: { webhook },
  response: { status: 204 },
  problems: ["conflict"],
  access: { table: "write", publishes: ["housekeeping"] },
});

export const listSubscriptions = route({
  operation: "list-subscriptions",
  method: "GET",
  path: "/v1/tenants/{tenant}/webhooks/{webhook}/subscriptions",
  summary: "List who hears of a webhook's deliveries, the oldest subscription first",
  scope: "integrations:read",
  params: { webhook },
  response: { status: 200, schema: SubscriptionList },
  access: { table: "read" },
});

export const createSubscription = route({
  operation: "create-subscription",
  method: "POST",
  path: "/v1/tenants/{tenant}/webhooks/{webhook}/subscriptions",
  summary: "Have a subscriber hear of a webhook's deliveries",
  scope: "integrations:write",
  params: { webhook },
  body: CreateSubscriptionBody,
  response: { status: 201, schema: Subscription },
  problems: ["conflict"],
  access: { table: "write" },
});

export const deleteSubscription = route({
  operation: "delete-subscription",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/webhooks/{webhook}/subscriptions/{subscription}",
  summary: "End a subscription",
  scope: "integrations:write",
  params: { webhook, subscription },
  response: { status: 204 },
  access: { table: "write" },
});

export const listDeliveries = route({
  operation: "list-deliveries",
  method: "GET",
  path: "/v1/tenants/{tenant}/webhooks/{webhook}/deliveries",
  summary: "List what a webhook received, and what became of it, newest first",
  scope: "integrations:read",
  params: { webhook },
  query: pagingQuery,
  response: { status: 200, schema: DeliveryPage },
  access: { table: "read" },
});

export const replayDelivery = route({
  operation: "replay-delivery",
  method: "POST",
  path: "/v1/tenants/{tenant}/webhooks/{webhook}/deliveries/{delivery}:replay",
  summary: "Dispatch a delivery once more, to whoever is subscribed now",
  scope: "integrations:write",
  params: { webhook, delivery },
  response: { status: 202, schema: Delivery },
  problems: ["conflict"],
  access: { table: "write", publishes: ["deliveries"] },
});
