import * as z from "zod";
import { PackedValue } from "../../platform/db/large-value.ts";
import { SealedValue } from "../../platform/db/seal.ts";
import { Delivery, DeliveryResult, Subscription, Webhook } from "./schemas.ts";

/** Stored webhook. */
export const WebhookItem = Webhook.omit({ webhookUrl: true, signingSecret: true }).extend({
  /** Base URL of the API at creation, for registrations of a deployment without `PUBLIC_URL`. */
  baseUrl: z.string(),
  secret: SealedValue.nullable(),
  /** Whether the provider created the secret and the user has not seen it yet. */
  isSecretToShow: z.boolean().default(false),
  /** Whether the secret is a placeholder of ours until the provider's own is set. */
  isStandIn: z.boolean().default(false),
  /** The listener at the provider: its id and the integration config whose credentials created it. */
  remote: z.object({ id: z.string(), configId: z.string() }).nullable(),
});
export type WebhookItem = z.output<typeof WebhookItem>;

/** Stored subscription. */
export const SubscriptionItem = Subscription;
export type SubscriptionItem = z.output<typeof SubscriptionItem>;

/** Stored delivery; `ttl` in Unix seconds, after 30 days. */
export const DeliveryItem = Delivery.omit({ results: true }).extend({
  webhookId: z.string(),
  provider: z.string(),
  /** Headers with lower-case names, without credentials or signatures. */
  headers: z.record(z.string(), z.string()),
  /** The body: a parsed value, a text, or {base64}. */
  payload: PackedValue,
  ttl: z.int(),
});
export type DeliveryItem = z.output<typeof DeliveryItem>;

/** Stored result of a delivery at one subscriber, with its delivery's `ttl`. */
export const DeliveryResultItem = DeliveryResult.extend({
  /** The delivery's id. */
  delivery: z.string(),
  /** The replay that it belongs to; null for the first dispatch. */
  replayId: z.string().nullable().default(null),
  /** The agent whose execution was started; null for none. */
  agentId: z.string().nullable().default(null),
  ttl: z.int(),
});
export type DeliveryResultItem = z.output<typeof DeliveryResultItem>;
