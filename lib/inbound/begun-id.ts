import { createHash } from "node:crypto";
import type { NotifySubscriberMessage } from "../queue/messages.ts";
import { timeOfUuid, uuidAt } from "../runtime/runtime.ts";

/**
 * The id of what a notification begins, or of the nth thing that it does: the same for the same notification,
 * so that one that comes twice begins nothing twice; another for a replay. Ids of several sort by their order.
 */
export const begunId = (
  { id, subscriptionId, replayId }: NotifySubscriberMessage,
  at?: number,
): string => {
  const digest = createHash("sha256").update(`${id}/${subscriptionId}/${replayId ?? ""}`);
  if (at !== undefined) digest.update(`/${at}`);
  return uuidAt(timeOfUuid(replayId ?? id) + (at ?? 0), digest.digest());
};
