import * as z from "zod";
import { TenantId } from "../platform/db/tenant-id.ts";
import { Uuid } from "../platform/http/ids.ts";

/** Asks for what a deleted webhook left, its listener at the provider included, to be removed. Safe to repeat. */
export const PurgeWebhookMessage = z.object({
  type: z.literal("purge-webhook"),
  tenantId: TenantId,
  webhookId: Uuid,
});
export type PurgeWebhookMessage = z.output<typeof PurgeWebhookMessage>;

/** A delivery that was accepted, or, without its content, one that is to be dispatched again. */
export const DispatchDeliveryMessage = z
  .object({
    type: z.literal("dispatch-delivery"),
    tenantId: TenantId,
    webhookId: Uuid,
    id: Uuid,
    /** Names the repetition; undefined for a first dispatch. */
    replayId: Uuid.optional(),
    content: z
      .object({
        provider: z.string(),
        eventType: z.string().nullable(),
        deliveryId: z.string().nullable(),
        receivedAt: z.int(),
        size: z.int(),
        headers: z.record(z.string(), z.string()),
        payload: z.union([
          z.object({ json: z.string() }),
          z.object({ base64: z.string() }),
          z.object({ object: z.string() }),
        ]),
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

/** One delivery for one subscriber. Safe to repeat. */
export const NotifySubscriberMessage = z
  .object({
    type: z.literal("notify-subscriber"),
    tenantId: TenantId,
    webhookId: Uuid,
    id: Uuid,
    subscriptionId: Uuid,
    replayId: Uuid.optional(),
  })
  .meta({
    example: {
      type: "notify-subscriber",
      tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
      webhookId: "0193f0a0-7c4b-7000-8000-000000000002",
      id: "0193f0a0-7c4b-7000-8000-000000000003",
      subscriptionId: "0193f0a0-7c4b-7000-8000-000000000004",
    },
  });
export type NotifySubscriberMessage = z.output<typeof NotifySubscriberMessage>;

/** Asks for a webhook's listener on the provider's side to be made. Safe to repeat and to arrive late. */
export const RegisterWebhookMessage = z.object({
  type: z.literal("register-webhook"),
  tenantId: TenantId,
  webhookId: Uuid,
});
export type RegisterWebhookMessage = z.output<typeof RegisterWebhookMessage>;

/** Asks for the listener of a deleted webhook to be removed. Safe to repeat and to arrive late. */
export const UnregisterWebhookMessage = z.object({
  type: z.literal("unregister-webhook"),
  tenantId: TenantId,
  webhookId: Uuid,
  provider: z.string(),
  remote: z.object({ id: z.string(), configId: z.string() }),
  externalContext: z.string().nullable(),
});
export type UnregisterWebhookMessage = z.output<typeof UnregisterWebhookMessage>;

/** What the queue for registrations carries. */
export const RegistrationMessage = z
  .discriminatedUnion("type", [RegisterWebhookMessage, UnregisterWebhookMessage])
  .meta({
    example: {
      type: "register-webhook",
      tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
      webhookId: "0193f0a0-7c4b-7000-8000-000000000002",
    },
  });
