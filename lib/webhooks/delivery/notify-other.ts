import type { StartDeps } from "../../agents/execution/start-execution.ts";
import { recordAssetChange } from "../../knowledge/asset/store.ts";
import type { DeliveryTarget, SubscriptionItem } from "../webhook/items.ts";
import type { Dispatch } from "./evaluate-agent.ts";
import { type DeliveredEvent, type Mapping, matches, NotMapped } from "./map-event.ts";
import { notifyConnector } from "./notify-connector.ts";

/** A subscription and the event to notify it of. */
export type Notification = {
  subscription: SubscriptionItem;
  event: DeliveredEvent;
  receivedAt: number;
  mapping: Mapping;
};

/**
 * Notifies a connector or an asset, which start no execution: queues the connector's messages, or marks the asset's
 * source as changed. Idempotent. Throws storage failures.
 */
export const notifyOther = async (
  deps: StartDeps,
  dispatch: Dispatch,
  notification: Notification,
): Promise<Pick<DeliveryTarget, "status" | "error">> => {
  const { subscription, event, receivedAt, mapping } = notification;
  try {
    if (!(await matches(subscription, event, mapping))) return { status: "Skipped" };
    if (subscription.subscriberType === "Connector") {
      return await notifyConnector(deps, dispatch, notification);
    }
    const { subscriberId } = subscription;
    return (await recordAssetChange(deps.db, dispatch.tenantId, subscriberId, receivedAt))
      ? { status: "Succeeded" }
      : { status: "Failed", error: "The asset was deleted." };
  } catch (error) {
    if (error instanceof NotMapped) return { status: "Failed", error: error.message };
    throw error;
  }
};
