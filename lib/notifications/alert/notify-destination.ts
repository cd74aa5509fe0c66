import type { Database } from "../../platform/db/database.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { toMessage } from "../../platform/outbox/to-message.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import type { Runtime } from "../../platform/runtime/runtime.ts";
import { type CallDeps, callDestination, exportTrace } from "../destination/call-destination.ts";
import type { EventDestinationItem } from "../destination/items.ts";
import { changeEventDestination, getEventDestination } from "../destination/store.ts";
import { subscribedTypes } from "../destination/subscribed-types.ts";
import { notifyOnce } from "./notify-once.ts";

/** Dependencies of notifying an event destination. */
export type DestinationDeps = CallDeps &
  Runtime & {
    db: Database;
    /** Builds the OTLP request body of an ended execution; undefined when it was deleted. */
    buildTrace: (
      event: OrganizationEvent,
      content: NonNullable<EventDestinationItem["content"]>,
    ) => Promise<string | undefined>;
  };

const gone = 410;
const noteEveryMs = 60_000;

/**
 * Sends an event to a destination once, if it is still active and subscribed to the type. Throws to be retried,
 * with the same `webhook-id`.
 */
export const notifyDestination = async (
  deps: DestinationDeps,
  { event, destinationId }: { event: OrganizationEvent; destinationId: string },
): Promise<void> => {
  const destination = await getEventDestination(deps.db, event.organizationId, destinationId);
  if (!destination?.active || !subscribedTypes(destination).includes(event.type)) return;
  const name = { eventId: event.id, recipient: `destination:${destinationId}` };
  await notifyOnce(deps, { name, notify: () => call(deps, destination, event) });
};

const call = async (
  deps: DestinationDeps,
  destination: EventDestinationItem,
  event: OrganizationEvent,
): Promise<void> => {
  let status: number | null | undefined = null;
  try {
    status = await send(deps, destination, event);
  } finally {
    if (status !== gone && status !== undefined) await noteDelivery(deps, destination, status);
  }
  if (status === undefined) return;
  if (status >= 200 && status < 300) return;
  if (status === gone) return deactivate(deps, destination);
  const upstream = new URL(destination.url).host;
  const message = `The event destination ${destination.id} responded with ${status}.`;
  throw new UpstreamError(message, { upstream, upstreamStatus: status });
};

/** Returns the response status; undefined when nothing was sent, because the execution was deleted. */
const send = async (
  deps: DestinationDeps,
  destination: EventDestinationItem,
  event: OrganizationEvent,
): Promise<number | undefined> => {
  if (destination.type === "webhook")
    return callDestination(deps, { destination, ...toMessage(event) });
  const trace = await deps.buildTrace(event, destination.content ?? "none");
  return trace === undefined ? undefined : exportTrace(deps, { destination, body: trace });
};

/** Saves the last response status, at most once a minute while it is unchanged. */
const noteDelivery = async (
  { db, clock }: DestinationDeps,
  destination: EventDestinationItem,
  status: number | null,
): Promise<void> => {
  const at = clock();
  const { lastDelivery } = destination;
  if (lastDelivery?.status === status && at - lastDelivery.at < noteEveryMs) return;
  try {
    await changeEventDestination(db, destination, { lastDelivery: { at, status } });
  } catch (error) {
    log("event-destination-not-saved", {
      error: asError(error),
    });
  }
};

/** Deactivates a destination that responded with 410, unless its URL has changed since. */
const deactivate = async (
  { db, clock }: DestinationDeps,
  destination: EventDestinationItem,
): Promise<void> => {
  const lastDelivery = { at: clock(), status: gone };
  const { url } = destination;
  await changeEventDestination(db, destination, { active: false, lastDelivery }, { url });
  log("event-destination-deactivated", { eventDestinationId: destination.id });
};
