import * as z from "zod";
import { createDefineRoute } from "../../lib/edge/route.ts";
import { Uuid } from "../../lib/platform/http/ids.ts";
import { pagingQuery } from "../../lib/platform/http/paging.ts";
import { webhookProviderIds } from "../../lib/vendors/registry/ids.ts";
import {
  CreateSubscriptionBody,
  CreateWebhookBody,
  DeliveryDetail,
  DeliveryPage,
  DeliveryReplay,
  ReplayDeliveryBody,
  SendTestEventBody,
  Subscription,
  SubscriptionList,
  TestEvent,
  UpdateSubscriptionBody,
  UpdateWebhookBody,
  Webhook,
  WebhookList,
} from "../../lib/webhooks/webhook/schemas.ts";

const route = createDefineRoute("webhooks");
const webhook = Uuid.meta({ example: "0193f0a0-7c4b-7000-8000-000000000002" });
const delivery = Uuid.meta({ example: "0193f0a0-7c4b-7000-8000-000000000003" });
const subscription = Uuid.meta({ example: "0193f0a0-7c4b-7000-8000-000000000004" });

export const listWebhooks = route({
  operation: "list-webhooks",
  method: "GET",
  path: "/v1/tenants/{tenant}/webhooks",
  summary: "Lists webhooks, newest first",
  scope: "integrations:read",
  query: {
    provider: z
      .enum(webhookProviderIds, { error: `must be one of ${webhookProviderIds.join(", ")}` })
      .optional()
      .meta({ description: "Returns only webhooks of this provider." }),
  },
  response: { status: 200, schema: WebhookList },
  access: { table: "read" },
});

export const createWebhook = route({
  operation: "create-webhook",
  creates: "Webhook",
  method: "POST",
  path: "/v1/tenants/{tenant}/webhooks",
  summary: "Creates a webhook",
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
  summary: "Retrieves a webhook",
  scope: "integrations:read",
  params: { webhook },
  response: { status: 200, schema: Webhook },
  access: { table: "read" },
});

export const updateWebhook = route({
  operation: "update-webhook",
  changes: "Webhook",
  method: "PATCH",
  path: "/v1/tenants/{tenant}/webhooks/{webhook}",
  summary: "Updates a webhook or its signing secret",
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
  changes: "Webhook",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/webhooks/{webhook}",
  summary: "Deletes a webhook with its subscriptions and deliveries",
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
  summary: "Lists a webhook's subscriptions, oldest first",
  scope: "integrations:read",
  params: { webhook },
  response: { status: 200, schema: SubscriptionList },
  access: { table: "read" },
});

export const createSubscription = route({
  operation: "create-subscription",
  creates: "Subscription",
  method: "POST",
  path: "/v1/tenants/{tenant}/webhooks/{webhook}/subscriptions",
  summary: "Creates a subscription to a webhook's deliveries",
  scope: "integrations:write",
  params: { webhook },
  body: CreateSubscriptionBody,
  response: { status: 201, schema: Subscription },
  problems: ["conflict"],
  access: { table: "write", bucket: "read" },
});

export const updateSubscription = route({
  operation: "update-subscription",
  changes: "Subscription",
  method: "PATCH",
  path: "/v1/tenants/{tenant}/webhooks/{webhook}/subscriptions/{subscription}",
  summary: "Updates a subscription's event types, filter or input",
  scope: "integrations:write",
  params: { webhook, subscription },
  body: UpdateSubscriptionBody,
  response: { status: 200, schema: Subscription },
  problems: ["conflict"],
  access: { table: "write", bucket: "read" },
});

export const deleteSubscription = route({
  operation: "delete-subscription",
  changes: "Subscription",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/webhooks/{webhook}/subscriptions/{subscription}",
  summary: "Deletes a subscription",
  scope: "integrations:write",
  params: { webhook, subscription },
  response: { status: 204 },
  access: { table: "write" },
});

export const listDeliveries = route({
  operation: "list-deliveries",
  method: "GET",
  path: "/v1/tenants/{tenant}/webhooks/{webhook}/deliveries",
  summary: "Lists a webhook's deliveries with their results, newest first",
  scope: "integrations:read",
  params: { webhook },
  query: pagingQuery,
  response: { status: 200, schema: DeliveryPage },
  access: { table: "read" },
});

export const getDelivery = route({
  operation: "get-delivery",
  method: "GET",
  path: "/v1/tenants/{tenant}/webhooks/{webhook}/deliveries/{delivery}",
  summary: "Retrieves a delivery with its headers, its payload and every run",
  scope: "integrations:read",
  params: { webhook, delivery },
  response: { status: 200, schema: DeliveryDetail },
  access: { table: "read", bucket: "read" },
});

export const replayDelivery = route({
  operation: "replay-delivery",
  method: "POST",
  path: "/v1/tenants/{tenant}/webhooks/{webhook}/deliveries/{delivery}:replay",
  summary: "Replays a delivery to the current subscribers",
  scope: "integrations:write",
  params: { webhook, delivery },
  body: ReplayDeliveryBody,
  response: { status: 202, schema: DeliveryReplay },
  problems: ["conflict"],
  access: { table: "write", publishes: ["deliveries"] },
});

export const sendTestEvent = route({
  operation: "send-test-event",
  method: "POST",
  path: "/v1/tenants/{tenant}/webhooks/{webhook}:test",
  summary: "Sends a sample event of the provider to the current subscribers",
  scope: "integrations:write",
  params: { webhook },
  body: SendTestEventBody,
  response: { status: 202, schema: TestEvent },
  problems: ["conflict"],
  access: { table: "write", bucket: "write", publishes: ["deliveries"] },
});
