import type { Database } from "../../platform/db/database.ts";
import { type ObjectStore, unpackValue } from "../../platform/db/large-value.ts";
import { notFound } from "../../platform/http/problems.ts";
import { maxResponseBytes, responseBytes } from "../../platform/http/response-size.ts";
import { parseUuidTime } from "../../platform/runtime/runtime.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { isKept } from "../../tenancy/tenant/retention.ts";
import type { DeliveryResultItem } from "../webhook/items.ts";
import { requireWebhook } from "../webhook/require-webhook.ts";
import type { DeliveryDetail, DeliveryRun } from "../webhook/schemas.ts";
import { readKeptBody } from "./kept-body.ts";
import { latestResults } from "./latest-results.ts";
import { loadOutcomes } from "./load-outcomes.ts";
import { listDeliveryRuns } from "./result-store.ts";
import type { StoredDelivery } from "./store.ts";
import { getDelivery } from "./store.ts";
import { toDelivery, toDeliveryResult } from "./to-delivery.ts";

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
export const getDeliveryDetail = async (
  deps: GetDeliveryDeps,
  {
    ctx,
    webhookId,
    deliveryId,
  }: { ctx: Pick<TenantContext, "clock" | "tenant">; webhookId: string; deliveryId: string },
): Promise<DeliveryDetail> => {
  const { db } = deps;
  const tenantId = ctx.tenant.id;
  const [, delivery] = await Promise.all([
    requireWebhook(db, tenantId, webhookId),
    getDelivery(db, tenantId, webhookId, deliveryId),
  ]);
  if (!delivery || !isKept(delivery, ctx.clock())) throw notFound("delivery", deliveryId);
  const runs = await loadOutcomes(db, tenantId, await listDeliveryRuns(db, tenantId, delivery));
  return {
    ...toDelivery(delivery, latestResults(runs)),
    headers: delivery.headers,
    signatureHeaders: delivery.signatureHeaders,
    ...(await loadContent(deps, delivery)),
    runs: runs.map(toRun).sort((one, other) => one.requestedAt - other.requestedAt),
  };
};

type Content = Pick<DeliveryDetail, "payload" | "bodyUrl" | "rawBody" | "rawBodyUrl">;

const loadContent = async (
  { objects, signUrl }: GetDeliveryDeps,
  { payload: packed, keptAs, bodyObject, headers }: StoredDelivery,
): Promise<Content> => {
  const value = await unpackValue(packed, objects);
  const { payload, body } = readKeptBody(value, keptAs, headers["content-type"]);
  const object = "object" in packed ? packed.object : undefined;
  if (responseBytes(payload) > (object ? maxPayloadBytes : maxResponseBytes)) {
    const bodyUrl = object ? await signUrl(object) : null;
    const rawBodyUrl = bodyObject ? await signUrl(bodyObject) : bodyUrl;
    return { payload: null, bodyUrl, rawBody: null, rawBodyUrl };
  }
  const raw = bodyObject
    ? readKeptBody(await unpackValue({ object: bodyObject }, objects), "body", "").body
    : body;
  return { payload, bodyUrl: null, rawBody: raw.toString("base64"), rawBodyUrl: null };
};

const toRun = (result: DeliveryResultItem): DeliveryRun => ({
  ...toDeliveryResult(result),
  requestedAt: parseUuidTime(result.replayId ?? result.delivery),
  isReplay: result.replayId !== null,
});
