import { createHash } from "node:crypto";
import type { NotifySubscriberMessage } from "../../platform/queue/messages.ts";
import { timeOfUuid, uuidAt } from "../../platform/runtime/runtime.ts";

/**
 * The id of what a notification begins: the same for the same notification, so that one that comes twice begins
 * nothing twice; another for a replay. Of several things, the nth (`at`) sorts after those before it.
 */
export const begunId = (
  { id, subscriptionId, replayId }: NotifySubscriberMessage,
  at = 0,
): string => {
  const digest = createHash("sha256")
    .update(`${id}/${subscriptionId}/${replayId ?? ""}`)
    .digest();
  return uuidAt(timeOfUuid(replayId ?? id) + at, digest);
};
