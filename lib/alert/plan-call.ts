import type { Database } from "../db/database.ts";
import type { OrganizationEvent } from "../event/organization-event.ts";
import { toMessage } from "../event/to-message.ts";
import { type CallDeps, callDestination } from "../event-destination/call-destination.ts";
import type { EventDestinationItem } from "../event-destination/items.ts";
import { getEventDestination, updateEventDestination } from "../event-destination/store.ts";
import { UpstreamError } from "../outgoing/upstream-error.ts";
import { asError } from "../runtime/as-error.ts";
import { log } from "../runtime/log.ts";
import type { PlannedAlert } from "./deliver-alert.ts";

type Deps = CallDeps & { db: Database };

const gone = 410;
const noteEveryMs = 60_000;

/** The call of an event destination; undefined when it is gone, switched off, or not for such events any more. */
export const planCall = async (
  deps: Deps,
  event: OrganizationEvent,
  destinationId: string,
): Promise<PlannedAlert | undefined> => {
  const destination = await getEventDestination(deps.db, event.organizationId, destinationId);
  if (!destination?.active || !destination.eventTypes.includes(event.type)) return undefined;
  return {
    recipient: `destination:${destinationId}`,
    tell: () => call(deps, destination, event),
  };
};

const call = async (
  deps: Deps,
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
  { db, clock }: Deps,
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
  { db, clock }: Deps,
  destination: EventDestinationItem,
): Promise<void> => {
  const lastDelivery = { at: clock(), status: gone };
  const { url } = destination;
  await updateEventDestination(db, destination, { active: false, lastDelivery }, { url });
  log().info("event destination deactivated", { eventDestinationId: destination.id });
};
