import { createHash } from "node:crypto";
import { parseUuidTime, uuidAt } from "../../platform/runtime/runtime.ts";

/**
 * Derives the id of a notification's result: deterministic, so that a redelivery starts nothing
 * twice, and different for a replay. Several ids sort by `at`.
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
  return uuidAt(parseUuidTime(replayId ?? id) + at, digest);
};
