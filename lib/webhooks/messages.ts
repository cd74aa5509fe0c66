import * as z from "zod";
import { LookBackMessage } from "../executions/messages.ts";
import { QueuedValue } from "../platform/db/large-value.ts";
import { TenantId } from "../platform/db/tenant-id.ts";
import { ChosenId, Uuid } from "../platform/http/ids.ts";

/** Purges the data of a deleted webhook and its listener at the provider. Idempotent. */
export const PurgeWebhookMessage = z.object({
  type: z.literal("purge-webhook"),
  tenantId: TenantId,
  webhookId: Uuid,
});
export type PurgeWebhookMessage = z.output<typeof PurgeWebhookMessage>;

/** Dispatches an accepted delivery; without `content`, dispatches a stored one again. */
export const DispatchDeliveryMessage = z
  .object({
    type: z.literal("dispatch-delivery"),
    tenantId: TenantId,
    webhookId: Uuid,
    id: Uuid,
    /** Id of the replay; undefined for the first dispatch. */
    replayId: Uuid.optional(),
    /** Narrows a replay to one subscription. */
    subscriptionId: Uuid.optional(),
    content: z
      .object({
        provider: z.string(),
        eventType: z.string().nullable(),
        deliveryId: z.string().nullable(),
        /** Digest of the signed body, and of the event type where a body has several; undefined if the id is enough. */
        signedBody: z.string().optional(),
        receivedAt: z.int(),
        /** Expiry of the stored delivery, Unix seconds. */
        ttl: z.int(),
        size: z.int(),
        headers: z.record(z.string(), z.string()),
        payload: QueuedValue,
        /** Form of `payload`, see `KeptBody`. */
        keptAs: z.enum(["payload", "body"]),
        /** Object of a large body, if its bytes do not follow from the payload. */
        bodyObject: z.string().optional(),
        signatureHeaders: z.record(z.string(), z.string()),
      })
      .optional(),
  })
  .meta({
    example: {
      type: "dispatch-delivery",
      tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
      webhookId: "0193f0a0-7c4b-7000-8000-000000000002",
      id: "0193f0a0-7c4b-7000-8000-000000000003",
    },
  });
export type DispatchDeliveryMessage = z.output<typeof DispatchDeliveryMessage>;

/** Notifies one subscriber of a delivery: one that could not be notified together with others. Idempotent. */
export const NotifySubscriberMessage = z.object({
  type: z.literal("notify-subscriber"),
  tenantId: TenantId,
  webhookId: Uuid,
  id: Uuid,
  subscriptionId: Uuid,
  replayId: Uuid.optional(),
});
export type NotifySubscriberMessage = z.output<typeof NotifySubscriberMessage>;

/** Maximum subscriptions that one message names. */
export const maxSubscriptionsPerMessage = 10;

/** Notifies several subscribers of a delivery independently. Idempotent. */
export const NotifySubscribersMessage = z.object({
  type: z.literal("notify-subscribers"),
  tenantId: TenantId,
  webhookId: Uuid,
  id: Uuid,
  replayId: Uuid.optional(),
  subscriptions: z
    .array(z.object({ id: Uuid, agentId: ChosenId.nullable() }))
    .min(1)
    .max(maxSubscriptionsPerMessage),
  /** Number of the message within its dispatch, from 1. */
  part: z.int(),
});
export type NotifySubscribersMessage = z.output<typeof NotifySubscribersMessage>;

/** Ends the waits of executions for a delivery. Idempotent. */
export const MatchWaitsMessage = z.object({
  type: z.literal("match-waits"),
  tenantId: TenantId,
  webhookId: Uuid,
  id: Uuid,
  /** Token of the mark that executions wait. */
  awaited: Uuid,
  /** Where an earlier message has stopped: the next wait. */
  from: z.object({ executionId: Uuid, path: z.string() }).optional(),
  /** Processor time of earlier messages, in milliseconds. */
  usedMs: z.number().optional(),
});
export type MatchWaitsMessage = z.output<typeof MatchWaitsMessage>;

/** A message of the subscribers queue. */
export const SubscriberMessage = z
  .discriminatedUnion("type", [
    NotifySubscriberMessage,
    NotifySubscribersMessage,
    MatchWaitsMessage,
    LookBackMessage,
  ])
  .meta({
    example: {
      type: "notify-subscribers",
      tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
      webhookId: "0193f0a0-7c4b-7000-8000-000000000002",
      id: "0193f0a0-7c4b-7000-8000-000000000003",
      subscriptions: [{ id: "0193f0a0-7c4b-7000-8000-000000000004", agentId: "hello" }],
      part: 1,
    },
  });
export type SubscriberMessage = z.output<typeof SubscriberMessage>;

/** Registers a webhook's listener at the provider. Idempotent, in any order. */
export const RegisterWebhookMessage = z.object({
  type: z.literal("register-webhook"),
  tenantId: TenantId,
  webhookId: Uuid,
});
export type RegisterWebhookMessage = z.output<typeof RegisterWebhookMessage>;

/** Removes the listener of a deleted webhook. Idempotent, in any order. */
export const UnregisterWebhookMessage = z.object({
  type: z.literal("unregister-webhook"),
  tenantId: TenantId,
  webhookId: Uuid,
  provider: z.string(),
  remote: z.object({ id: z.string(), configId: z.string() }),
  externalContext: z.string().nullable(),
});
export type UnregisterWebhookMessage = z.output<typeof UnregisterWebhookMessage>;

/** A message of the registrations queue. */
export const RegistrationMessage = z
  .discriminatedUnion("type", [RegisterWebhookMessage, UnregisterWebhookMessage])
  .meta({
    example: {
      type: "register-webhook",
      tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
      webhookId: "0193f0a0-7c4b-7000-8000-000000000002",
    },
  });
