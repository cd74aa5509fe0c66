import { isTruthy } from "../../engine/flow/truth.ts";
import {
  type EventWait,
  endEventWait,
  removeEventWait,
} from "../../executions/checkpoints/event-wait-store.ts";
import type { StartDeps } from "../../executions/start/start-execution.ts";
import { endWait } from "../../executions/wait/end-wait.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { log } from "../../platform/runtime/log.ts";
import { evaluateTemplates } from "../../values/expression/evaluate.ts";
import { ExpressionError } from "../../values/expression/expression-error.ts";
import type { DeliveryItem, WebhookItem } from "../webhook/items.ts";
import { isSubscribed } from "./is-subscribed.ts";
import { type DeliveredEvent, type Mapping, toJsonObject } from "./map-event.ts";

/** Returns whether executions may receive deliveries of a webhook: it is not paused, and a delivery not a duplicate. */
export const isReceived = (
  { status, expiresAt }: Pick<WebhookItem, "status" | "expiresAt">,
  delivery: Pick<DeliveryItem, "status" | "receivedAt">,
): boolean =>
  status !== "DISABLED" &&
  (expiresAt === null || delivery.receivedAt < expiresAt) &&
  delivery.status !== "Duplicate";

/** Returns whether a delivery is in the time of a wait and of one of its event types. */
export const isInTime = (
  { executionId: id, eventTypes, from, until }: EventWait,
  delivery: Pick<DeliveryItem, "eventType" | "receivedAt">,
): boolean =>
  from <= delivery.receivedAt &&
  delivery.receivedAt < until &&
  isSubscribed({ id, eventTypes }, delivery);

/** Returns whether the `match` of a wait holds for an event. One that fails, or takes too long, does not. */
export const isMatching = async (
  { match, scope, executionId }: EventWait,
  event: DeliveredEvent,
  mapping: Mapping,
): Promise<boolean> => {
  if (match === null) return true;
  if (mapping.processor.remainingMs <= 0) {
    log("event-not-matched", { executionId });
    return false;
  }
  try {
    const { eventType = null, headers = {}, payload = null } = toJsonObject(event);
    const seen = { ...scope, eventType, headers, payload };
    return isTruthy((await evaluateTemplates(match, seen, mapping)) ?? null);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    log("event-not-matched", { executionId });
    return false;
  }
};

/** Ends a wait with a delivery, unless it has ended. */
export const takeDelivery = async (
  deps: Pick<StartDeps, "db" | "objects" | "runtime" | "send">,
  {
    tenantId,
    wait,
    event,
    delivery: { receivedAt },
  }: {
    tenantId: TenantId;
    wait: EventWait;
    event: DeliveredEvent;
    delivery: Pick<DeliveryItem, "receivedAt">;
  },
): Promise<void> => {
  const { root, executionId, path } = wait;
  const { deliveryId = null, eventType = null, payload = null } = toJsonObject(event);
  const outcome = await endWait(deps, {
    tenantId,
    root,
    executionId,
    path,
    answer: { deliveryId, eventType, payload, receivedAt },
    writes: [endEventWait(tenantId, wait)],
  });
  if (outcome !== "ended") await removeEventWait(deps.db, tenantId, wait);
};
