import type { Database } from "../../platform/db/database.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { toMessage } from "../../platform/outbox/to-message.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { type CallDeps, callDestination } from "../destination/call-destination.ts";
import type { EventDestinationItem } from "../destination/items.ts";
import { getEventDestination, updateEventDestination } from "../destination/store.ts";
import { tellOnce } from "./tell-once.ts";

/** What telling an event destination needs. */
export type DestinationDeps = CallDeps & { db: Database };

const gone = 410;
const noteEveryMs = 60_000;

/**
 * Calls an event destination, once for an event; not when it is gone, switched off, or not for such events any
 * more. Throws when it is to be called again, under the same `webhook-id`.
 */
export const tellDestination = async (
  deps: DestinationDeps,
  event: OrganizationEvent,
  destinationId: string,
): Promise<void> => {
  const destination = await getEventDestination(deps.db, event.organizationId, destinationId);
  if (!destination?.active || !destination.eventTypes.includes(event.type)) return;
  const name = { eventId: event.id, recipient: `destination:${destinationId}` };
  await tellOnce(deps, name, () => call(deps, destination, event));
};

const call = async (
  deps: DestinationDeps,
  destination: EventDestinationItem,
  event: OrganizationEvent,
): Promise<void> => {
  let status: number | null = null;
  try {
    status = await callDestination(deps, destination, toMessage(event));
  } finally {
    if (status !== gone) await noteDelivery(deps, destination, status);
  }
  if (status >= 200 && status < 300) return;
  if (status === gone) return deactivate(deps, destination);
  const upstream = new URL(destination.url).host;
  const message = `The event destination ${destination.id} answered ${status}.`;
  throw new UpstreamError(message, { upstream, upstreamStatus: status });
};

/** What came back last; not more often than once a minute as long as it is the same. */
const noteDelivery = async (
  { db, clock }: DestinationDeps,
  destination: EventDestinationItem,
  status: number | null,
): Promise<void> => {
  const at = clock();
  const { lastDelivery } = destination;
  if (lastDelivery?.status === status && at - lastDelivery.at < noteEveryMs) return;
  try {
    await updateEventDestination(db, destination, { lastDelivery: { at, status } });
  } catch (error) {
    log().warn("what a destination answered could not be noted", { error: asError(error) });
  }
};

/** It says that it is gone for good, unless it has another URL by now. */
const deactivate = async (
  { db, clock }: DestinationDeps,
  destination: EventDestinationItem,
): Promise<void> => {
  const lastDelivery = { at: clock(), status: gone };
  const { url } = destination;
  await updateEventDestination(db, destination, { active: false, lastDelivery }, { url });
  log().info("event destination deactivated", { eventDestinationId: destination.id });
};
