import * as z from "zod";
import { Timestamp, Uuid } from "../../platform/http/ids.ts";
import { pageSchema } from "../../platform/http/paging.ts";

/** Authentication of deliveries. */
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
    "A delivery runs an agent, is a chat message to a connector, and starts a synchronization of an asset.",
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
        "JSONata expression over {eventType, headers, payload}; a delivery matches if it is true.",
    }),
    input: z.unknown().optional().meta({
      description:
        "Any JSON with {% %} expressions over {eventType, headers, payload}: the input of an agent, or the message {id?, user: {id, name?}, conversation: {id, name?}, text} of a connector. Without it, a connector's provider reads the payload.",
    }),
    session: z.unknown().optional().meta({
      description:
        "The session that an agent's executions continue, with {% %} expressions as in `input`: its id, or {id, endUserId}. Nothing, or null, for no session.",
    }),
  })
  .meta({
    id: "CreateSubscriptionBody",
    example: { subscriberType: "Agent", subscriberId: "hello", eventTypes: ["push"] },
  });
export type CreateSubscriptionBody = z.output<typeof CreateSubscriptionBody>;

/** Request body of updating a subscription: omitted members are unchanged, null clears. */
export const UpdateSubscriptionBody = CreateSubscriptionBody.pick({
  eventTypes: true,
  filter: true,
  input: true,
  session: true,
}).meta({ id: "UpdateSubscriptionBody", example: { eventTypes: ["push", "release"] } });
export type UpdateSubscriptionBody = z.output<typeof UpdateSubscriptionBody>;

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
    session: z.unknown(),
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
    matched: z.boolean().nullable().meta({
      description:
        "Whether a subscription matches it, by event type and filter. A delivery that none matches stays `Dispatched`. Null for a duplicate, and until a filter was evaluated.",
    }),
    results: z.array(DeliveryResult),
  })
  .meta({ id: "WebhookDelivery" });
export type Delivery = z.output<typeof Delivery>;

/** One run of a delivery at one subscriber. */
export const DeliveryRun = DeliveryResult.extend({
  requestedAt: Timestamp.meta({
    description: "When the delivery was received or, for a replay, when it was requested.",
  }),
  isReplay: z.boolean(),
}).meta({ id: "WebhookDeliveryRun" });
export type DeliveryRun = z.output<typeof DeliveryRun>;

/** A delivery with its content and all its runs. */
export const DeliveryDetail = Delivery.extend({
  headers: z.record(z.string(), z.string()).meta({
    description: "Lower-case names. Headers with credentials or signatures are left out.",
  }),
  signatureHeaders: z.record(z.string(), z.string()).meta({
    description:
      "Headers with the provider's signature and its timestamp, in lower case. Headers with a token are left out.",
  }),
  payload: z.unknown().meta({
    description:
      "The parsed value of a JSON or form body, a string for other text, `{base64}` for anything else; null if `bodyUrl` is set.",
  }),
  bodyUrl: z.string().nullable().meta({
    description: "For a payload of more than 1 MB: a signed URL of its JSON, valid for 15 minutes.",
  }),
  rawBody: z.string().nullable().meta({
    description: "The body as it was received, in base64; null if `rawBodyUrl` is set.",
  }),
  rawBodyUrl: z.string().nullable().meta({
    description:
      "For a payload of more than 1 MB: a signed URL of JSON, valid for 15 minutes. A string is the body's text, `{base64}` its bytes; of any other value, the body is the JSON without spaces.",
  }),
  runs: z.array(DeliveryRun).meta({
    description: "Every run of every subscription, oldest first; `results` has the latest of each.",
  }),
}).meta({ id: "WebhookDeliveryDetail" });
export type DeliveryDetail = z.output<typeof DeliveryDetail>;

/** Request body of replaying a delivery; may be empty. */
export const ReplayDeliveryBody = z
  .object({
    subscriptionId: Uuid.optional().meta({
      description: "Replays to this subscription only; default: all current ones.",
    }),
  })
  .default({})
  .meta({ id: "ReplayDeliveryBody", example: {} });
export type ReplayDeliveryBody = z.output<typeof ReplayDeliveryBody>;

/** Sends a sample event to a webhook. */
export const SendTestEventBody = z
  .object({
    eventType: z.string().max(200).optional().meta({
      description: "An event type of the provider; default: its most common one.",
    }),
  })
  .default({})
  .meta({ id: "SendTestEventBody", example: {} });
export type SendTestEventBody = z.output<typeof SendTestEventBody>;

/** A sample event that was sent. */
export const TestEvent = z
  .object({
    deliveryId: Uuid.meta({ description: "The delivery, which appears shortly afterwards." }),
    eventType: z.string(),
  })
  .meta({ id: "TestEvent" });
export type TestEvent = z.output<typeof TestEvent>;

/** The runs that a replay requested. */
export const DeliveryReplay = z
  .object({
    runs: z.array(
      z.object({
        subscriptionId: Uuid,
        executionId: Uuid.nullable().meta({
          description:
            "Id of the new execution; null for a connector or an asset. If the subscription's filter does not match or the agent refuses, nothing is started, and the delivery's run has the cause.",
        }),
      }),
    ),
  })
  .meta({ id: "WebhookDeliveryReplay" });
export type DeliveryReplay = z.output<typeof DeliveryReplay>;

/** A page of deliveries, newest first. */
export const DeliveryPage = pageSchema(Delivery, "WebhookDeliveryPage");
