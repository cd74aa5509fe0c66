import type { Webhook, WebhookDelivery, WebhookDeliveryResult } from "../../../client/openapi.ts";
import type { StatusKind } from "../shared/status-badge.tsx";

/** Kinds of the statuses of webhooks. */
export const webhookKinds: Readonly<Record<Webhook["status"], StatusKind>> = {
  ACTIVE: "good",
  PENDING: "busy",
  FAILED: "bad",
  DISABLED: "idle",
};

/** Kinds of the statuses of deliveries. */
export const deliveryKinds: Readonly<Record<WebhookDelivery["status"], StatusKind>> = {
  Accepted: "busy",
  Dispatched: "good",
  PartiallyFailed: "bad",
  Failed: "bad",
  Duplicate: "idle",
};

/** Kinds of the statuses of results. */
export const resultKinds: Readonly<Record<WebhookDeliveryResult["status"], StatusKind>> = {
  Pending: "busy",
  Succeeded: "good",
  Failed: "bad",
  Skipped: "idle",
};
