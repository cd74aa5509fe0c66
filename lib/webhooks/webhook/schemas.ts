import * as z from "zod";
import { Timestamp, Uuid } from "../../platform/http/ids.ts";
import { pageOf } from "../../platform/http/paging.ts";

/** How deliveries are authenticated. */
export const AuthMode = z.enum(["API_KEY", "HMAC"]).meta({ id: "WebhookAuthMode" });
/** Status of a webhook. */
export const WebhookStatus = z
  .enum(["ACTIVE", "PENDING", "FAILED", "DISABLED"])
  .meta({ id: "WebhookStatus" });

/** A webhook in API responses; the signing secret only after create. */
export const Webhook = z
  .object({
    id: Uuid,
    provider: z.string(),
    authMode: AuthMode,
    status: WebhookStatus,
    statusReason: z
      .string()
      .nullable()
      .meta({ description: "Why the remote registration failed." }),
    externalContext: z.string().nullable(),
    filter: z.string().nullable(),
    expiresAt: Timestamp.nullable(),
    createdAt: Timestamp,
    modifiedAt: Timestamp,
    webhookUrl: z.string().meta({ description: "The absolute URL, without a key." }),
    signingSecret: z.string().nullable(),
  })
  .meta({ id: "Webhook" });
export type Webhook = z.output<typeof Webhook>;

/** Every webhook of a tenant, newest first. */
export const WebhookList = z.array(Webhook).meta({ id: "WebhookList" });

const signingSecret = z.string().min(1).max(1_024);
const externalContext = z.string().max(512).meta({
  description:
    "The provider's resource: a repository as owner/repo, or the base URL of an instance.",
});
const filter = z.string().max(2_048).meta({
  description: "The provider's own filter of events, such as a query.",
});

/** Request body of creating a webhook. */
export const CreateWebhookBody = z
  .object({
    provider: z.string().min(1),
    externalContext: externalContext.nullish(),
    filter: filter.nullish(),
    signingSecret: signingSecret.nullish(),
  })
  .meta({ id: "CreateWebhookBody", example: { provider: "github", externalContext: "acme/app" } });
export type CreateWebhookBody = z.output<typeof CreateWebhookBody>;

/** Request body of updating a webhook: omitted members are unchanged, null clears an optional one. */
export const UpdateWebhookBody = z
  .object({
    signingSecret: signingSecret.nullish(),
    filter: filter.nullish(),
    externalContext: externalContext.nullish(),
    status: z.enum(["ACTIVE", "DISABLED"]).optional(),
  })
  .meta({ id: "UpdateWebhookBody", example: { status: "DISABLED" } });
export type UpdateWebhookBody = z.output<typeof UpdateWebhookBody>;

/** Type of a webhook's subscriber. */
export const SubscriberType = z.enum(["Agent", "Asset", "Connector"]).meta({
  id: "WebhookSubscriberType",
  description:
    "A delivery runs an agent, is a chat message to a connector, and updates `changedAt` of an asset.",
});

/** Request body of creating a subscription. */
export const CreateSubscriptionBody = z
  .object({
    subscriberType: SubscriberType,
    subscriberId: z
      .string()
      .min(1)
      .max(1_024)
      .meta({ description: "The id of an agent, an asset or a connector." }),
    eventTypes: z.array(z.string().min(1).max(256)).max(200).nullish(),
    filter: z.string().min(1).max(8_192).nullish().meta({
      description:
        "JSONata expression over {eventType, headers, payload}; deliveries for which it is true match.",
    }),
    input: z.unknown().optional().meta({
      description:
        "Any JSON with {% %} expressions over {eventType, headers, payload}: the input of an agent, or the message {id?, user: {id, name?}, conversation: {id, name?}, text} of a connector. Without it, a connector's provider reads the payload.",
    }),
  })
  .meta({
    id: "CreateSubscriptionBody",
    example: { subscriberType: "Agent", subscriberId: "hello", eventTypes: ["push"] },
  });
export type CreateSubscriptionBody = z.output<typeof CreateSubscriptionBody>;

/** A subscription in API responses. */
export const Subscription = z
  .object({
    id: Uuid,
    webhookId: Uuid,
    subscriberType: SubscriberType,
    subscriberId: z.string(),
    eventTypes: z.array(z.string()).nullable(),
    filter: z.string().nullable(),
    input: z.unknown(),
    createdAt: Timestamp,
    modifiedAt: Timestamp,
  })
  .meta({ id: "WebhookSubscription" });
export type Subscription = z.output<typeof Subscription>;

/** Every subscription of a webhook, oldest first. */
export const SubscriptionList = z.array(Subscription).meta({ id: "WebhookSubscriptionList" });

/** Result of a delivery at one subscriber. */
export const DeliveryResult = z
  .object({
    subscriptionId: Uuid,
    status: z.enum(["Pending", "Succeeded", "Failed", "Skipped"]),
    attempts: z.int(),
    executionId: Uuid.nullable(),
    error: z.string().nullable().meta({ description: "Why the dispatch failed or was skipped." }),
  })
  .meta({ id: "WebhookDeliveryResult" });
export type DeliveryResult = z.output<typeof DeliveryResult>;

/** A delivery in API responses. */
export const Delivery = z
  .object({
    id: Uuid,
    eventType: z.string().nullable(),
    deliveryId: z.string().nullable(),
    receivedAt: Timestamp,
    size: z.int(),
    status: z.enum(["Accepted", "Dispatched", "PartiallyFailed", "Failed", "Duplicate"]),
    results: z.array(DeliveryResult),
  })
  .meta({ id: "WebhookDelivery" });
export type Delivery = z.output<typeof Delivery>;

/** A page of deliveries, newest first. */
export const DeliveryPage = pageOf(Delivery, "WebhookDeliveryPage");
