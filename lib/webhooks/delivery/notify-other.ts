import type { StartDeps } from "../../executions/start/start-execution.ts";
import { recordAssetChange } from "../../knowledge/asset/store.ts";
import { startSync } from "../../knowledge/sync/start-sync.ts";
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
 * source as changed and starts its synchronization: one for many events. Idempotent. Throws storage failures.
 */
export const notifyOther = async (
  deps: StartDeps,
  { dispatch, notification }: { dispatch: Dispatch; notification: Notification },
): Promise<Pick<DeliveryTarget, "status" | "error">> => {
  const { subscription, event, receivedAt, mapping } = notification;
  try {
    if (!(await matches(subscription, event, mapping))) return { status: "Skipped" };
    if (subscription.subscriberType === "Connector") {
      return await notifyConnector(deps, { dispatch, ...notification });
    }
    const { subscriberId } = subscription;
    const { tenantId } = dispatch;
    const isThere = await recordAssetChange(deps.db, tenantId, subscriberId, receivedAt);
    const outcome = isThere
      ? await startSync(deps, { tenantId, assetId: subscriberId })
      : "missing";
    return outcome === "missing"
      ? { status: "Failed", error: "The asset was deleted." }
      : { status: "Succeeded" };
  } catch (error) {
    if (error instanceof NotMapped) return { status: "Failed", error: error.message };
    throw error;
  }
};
