import type { Runtime } from "../../lib/platform/runtime/runtime.ts";
import { computeTtl } from "../../lib/tenancy/tenant/retention.ts";
import { newDeliveryId } from "../../lib/webhooks/delivery/delivery-id.ts";
import type { DeliveryItem } from "../../lib/webhooks/webhook/items.ts";
import { packJson } from "./pack-json.ts";

/** Creates a delivery of `{}` that is received now, with the provider's id "theirs" unless given. */
export const testDelivery = (
  runtime: Runtime,
  webhookId: string,
  more: Partial<DeliveryItem> = {},
): DeliveryItem => {
  const { deliveryId = "theirs" } = more;
  const receivedAt = runtime.clock();
  return {
    id: newDeliveryId(runtime, webhookId, deliveryId),
    webhookId,
    provider: "github",
    eventType: "push",
    receivedAt,
    size: 2,
    status: "Dispatched",
    headers: { "x-github-event": "push" },
    payload: packJson({}),
    keptAs: "payload",
    signatureHeaders: {},
    ttl: computeTtl(receivedAt, 30),
    attempts: 1,
    targets: [],
    parts: 0,
    hasMoreResults: false,
    ...more,
    deliveryId,
  };
};
