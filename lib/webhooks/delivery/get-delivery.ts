import type { Database } from "../../platform/db/database.ts";
import { type ObjectStore, type PackedValue, unpackValue } from "../../platform/db/large-value.ts";
import { notFound } from "../../platform/http/problems.ts";
import { maxResponseBytes, responseBytes } from "../../platform/http/response-size.ts";
import { timeOfUuid } from "../../platform/runtime/runtime.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import type { DeliveryResultItem } from "../webhook/items.ts";
import { requireWebhook } from "../webhook/require-webhook.ts";
import type { DeliveryDetail, DeliveryRun } from "../webhook/schemas.ts";
import { getDelivery, listResults } from "../webhook/store.ts";
import { latestResults } from "./latest-results.ts";
import { loadOutcomes } from "./load-outcomes.ts";
import { isKept, toDelivery, toResult } from "./to-delivery.ts";

/** Largest payload in a response, bytes of JSON. */
const maxPayloadBytes = 1_000_000;

/** Dependencies of reading a delivery. */
export type GetDeliveryDeps = {
  db: Database;
  objects: ObjectStore;
  /** Returns a signed URL of an object. */
  signUrl: (objectKey: string) => Promise<string>;
};

/** Reads a delivery with headers, payload and every run. Throws 404 for an unknown webhook or delivery. */
export const getDeliveryDetail = async ({
  ctx,
  input: { webhookId, deliveryId },
  deps,
}: {
  ctx: Pick<TenantContext, "clock" | "tenant">;
  input: { webhookId: string; deliveryId: string };
  deps: GetDeliveryDeps;
}): Promise<DeliveryDetail> => {
  const { db } = deps;
  const tenantId = ctx.tenant.id;
  const [, delivery] = await Promise.all([
    requireWebhook(db, tenantId, webhookId),
    getDelivery(db, tenantId, webhookId, deliveryId),
  ]);
  if (!delivery || !isKept(delivery, ctx.clock())) throw notFound("delivery", deliveryId);
  const runs = await loadOutcomes(db, tenantId, await listResults(db, tenantId, delivery));
  return {
    ...toDelivery(delivery, latestResults(runs)),
    headers: delivery.headers,
    ...(await contentOf(deps, delivery.payload)),
    runs: runs.map(toRun).sort((one, other) => one.requestedAt - other.requestedAt),
  };
};

const contentOf = async (
  { objects, signUrl }: GetDeliveryDeps,
  packed: PackedValue,
): Promise<Pick<DeliveryDetail, "payload" | "bodyUrl">> => {
  const payload = await unpackValue(packed, objects);
  const isObject = "object" in packed;
  if (responseBytes(payload) <= (isObject ? maxPayloadBytes : maxResponseBytes)) {
    return { payload, bodyUrl: null };
  }
  return { payload: null, bodyUrl: isObject ? await signUrl(packed.object) : null };
};

const toRun = (result: DeliveryResultItem): DeliveryRun => ({
  ...toResult(result),
  requestedAt: timeOfUuid(result.replayId ?? result.delivery),
  isReplay: result.replayId !== null,
});
