import * as z from "zod";
import { PackedValue } from "../../platform/db/large-value.ts";
import { SealedValue } from "../../platform/db/seal.ts";
import { Delivery, DeliveryResult, Subscription, Webhook } from "./schemas.ts";

/** A webhook as it is stored. */
export const WebhookItem = Webhook.omit({ webhookUrl: true, signingSecret: true }).extend({
  /** Where the API was when the webhook was made, such as https://api.example.com/live. */
  baseUrl: z.string(),
  secret: SealedValue.nullable(),
  /** Whether the provider made the secret, and the user, who needs it, has not seen it. */
  isSecretToShow: z.boolean().default(false),
  /** Whether the secret is ours where the provider issues its own, which it signs with until that is given. */
  isStandIn: z.boolean().default(false),
  /** The listener on the provider's side: its id there, and the integration config whose credentials made it. */
  remote: z.object({ id: z.string(), configId: z.string() }).nullable(),
});
export type WebhookItem = z.output<typeof WebhookItem>;

/** A subscription as it is stored. */
export const SubscriptionItem = Subscription;
export type SubscriptionItem = z.output<typeof SubscriptionItem>;

/** A delivery as it is stored; `ttl` in Unix seconds, 30 days on. */
export const DeliveryItem = Delivery.omit({ results: true }).extend({
  webhookId: z.string(),
  provider: z.string(),
  /** Header names in lower case; none holds credentials or signatures. */
  headers: z.record(z.string(), z.string()),
  /** The body: its parsed value, a text, or {base64}. */
  payload: PackedValue,
  ttl: z.int(),
});
export type DeliveryItem = z.output<typeof DeliveryItem>;

/** What became of a delivery at one subscriber, as it is stored; `ttl` as its delivery's. */
export const DeliveryResultItem = DeliveryResult.extend({
  /** Our id of the delivery. */
  delivery: z.string(),
  /** Whose execution was begun; null for none. */
  agentId: z.string().nullable().default(null),
  ttl: z.int(),
});
export type DeliveryResultItem = z.output<typeof DeliveryResultItem>;
