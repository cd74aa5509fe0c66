import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { TenantId } from "../../lib/platform/db/tenant-id.ts";
import { newUuid, type Runtime } from "../../lib/platform/runtime/runtime.ts";
import { newDeliveryId } from "../../lib/webhooks/delivery/delivery-id.ts";
import { deliveryTtl } from "../../lib/webhooks/delivery/store.ts";
import type { DeliveryItem } from "../../lib/webhooks/webhook/items.ts";
import type { TestDatabase } from "./table.ts";

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
    payload: { json: "{}" },
    signatureHeaders: {},
    ttl: deliveryTtl(receivedAt),
    attempts: 1,
    targets: [],
    parts: 0,
    hasMoreResults: false,
    ...more,
    deliveryId,
  };
};

type Place = { tenantId: TenantId; webhookId: string };

/** Writes an item of a webhook as it was stored before deliveries had partitions of their own. */
const putEarlier = (
  db: TestDatabase,
  { tenantId, webhookId }: Place,
  sk: string,
  item: Record<string, unknown>,
  isListed: boolean,
) => {
  const pk = `TENANT#${tenantId}#WEBHOOK#${webhookId}`;
  const Item = { pk, sk, ...(isListed && { gsi1pk: pk, gsi1sk: sk }), ...item };
  return db.client.send(new PutCommand({ TableName: db.table, Item }));
};

/** Writes a delivery, its mark and its results as they were stored before deliveries had partitions of their own. */
export const putEarlierDelivery = async (
  db: TestDatabase,
  place: Place,
  runtime: Runtime,
  {
    payload = { json: "{}" },
    results = [],
  }: {
    payload?: { json: string } | { object: string };
    results?: readonly Record<string, unknown>[];
  } = {},
): Promise<string> => {
  const id = newUuid(runtime);
  const receivedAt = runtime.clock();
  const ttl = deliveryTtl(receivedAt);
  await putEarlier(
    db,
    place,
    `DELIVERY#${id}`,
    {
      id,
      webhookId: place.webhookId,
      provider: "github",
      eventType: "push",
      deliveryId: `theirs-${id}`,
      receivedAt,
      size: 2,
      status: "Dispatched",
      headers: { "x-github-event": "push" },
      payload,
      ttl,
    },
    true,
  );
  const until = receivedAt + 86_400_000;
  await putEarlier(db, place, `SEEN#theirs-${id}`, { id, until, ttl }, false);
  for (const result of results) {
    const { subscriptionId = newUuid(runtime), replayId = null } = result;
    const sk = `RESULT#${id}#${subscriptionId}${replayId === null ? "" : `#${replayId}`}`;
    const item = {
      subscriptionId,
      replayId,
      status: "Succeeded",
      attempts: 1,
      executionId: null,
      agentId: null,
      error: null,
      delivery: id,
      ttl,
      ...result,
    };
    await putEarlier(db, place, sk, item, false);
  }
  return id;
};
