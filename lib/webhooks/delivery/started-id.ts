import { createHash } from "node:crypto";
import { timeOfUuid, uuidAt } from "../../platform/runtime/runtime.ts";

/**
 * Derives the id of what a notification starts: deterministic, so that a redelivery starts nothing twice, and
 * different for a replay. Ids of several things sort by `at`.
 */
export const startedId = (
  {
    id,
    subscriptionId,
    replayId,
  }: { id: string; subscriptionId: string; replayId?: string | undefined },
  at = 0,
): string => {
  const digest = createHash("sha256")
    .update(`${id}/${subscriptionId}/${replayId ?? ""}`)
    .digest();
  return uuidAt(timeOfUuid(replayId ?? id) + at, digest);
};
