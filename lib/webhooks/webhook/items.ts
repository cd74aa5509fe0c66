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
  isSecretToShow: z.boolean(),
  /** Whether the secret is a placeholder of ours until the provider's own is set. */
  isStandIn: z.boolean(),
  /**
   * The listener at the provider: its id and the integration config with the credentials that
   * created it.
   */
  remote: z.object({ id: z.string(), configId: z.string() }).nullable(),
});
export type WebhookItem = z.output<typeof WebhookItem>;

/** Stored subscription. */
export const SubscriptionItem = Subscription;
export type SubscriptionItem = z.output<typeof SubscriptionItem>;

/** Returns the JSON bytes of a subscription, of which a webhook has a maximum. */
export const sizeOfSubscription = (item: SubscriptionItem): number =>
  Buffer.byteLength(JSON.stringify(item));

/**
 * A subscriber of a dispatch. Without `status`, its result is that of the agent's execution, which
 * has a derived id, or is in the results of a part.
 */
export const DeliveryTarget = z.object({
  subscriptionId: z.string(),
  /** The agent to run; absent for none. */
  agentId: z.string().optional(),
  status: DeliveryResult.shape.status.optional(),
  error: z.string().optional(),
});
export type DeliveryTarget = z.output<typeof DeliveryTarget>;

/** Stored delivery; `ttl` in Unix seconds, by the tenant's retention. */
export const DeliveryItem = Delivery.omit({ matched: true, results: true }).extend({
  webhookId: z.string(),
  provider: z.string(),
  /** Headers with lower-case names, without credentials or signatures. */
  headers: z.record(z.string(), z.string()),
  /** The body: a parsed value, a text, or {base64}; with `keptAs` "body" a text or {base64} to be parsed. */
  payload: PackedValue,
  /** Form of `payload`, see `KeptBody`. */
  keptAs: z.enum(["payload", "body"]),
  /** Object of a large body, if its bytes do not follow from the payload. */
  bodyObject: z.string().optional(),
  signatureHeaders: z.record(z.string(), z.string()),
  ttl: z.int(),
  /** The attempt that stored it, from 1. */
  attempts: z.int(),
  /** Subscribers that its first dispatch handled itself. */
  targets: z.array(DeliveryTarget),
  /** Number of parts in which its first dispatch queued the other subscribers. */
  parts: z.int(),
  /** Whether there are further results: of replays, and of single notifications. */
  hasMoreResults: z.boolean(),
});
export type DeliveryItem = z.output<typeof DeliveryItem>;

/** Stored results of a part of a dispatch, with the delivery's `ttl`. */
export const DeliveryResultsItem = z.object({
  /** The delivery's id. */
  delivery: z.string(),
  /** The replay that they belong to; null for the first dispatch. */
  replayId: z.string().nullable(),
  attempts: z.int(),
  targets: z.array(DeliveryTarget),
  ttl: z.int(),
});
export type DeliveryResultsItem = z.output<typeof DeliveryResultsItem>;

/** Result of a delivery at one subscriber. */
export type DeliveryResultItem = DeliveryResult & {
  /** The delivery's id. */
  delivery: string;
  /** The replay that it belongs to; null for the first dispatch. */
  replayId: string | null;
  /** The agent of the started execution; null for none. */
  agentId: string | null;
};
