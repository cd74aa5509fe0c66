import { createHash } from "node:crypto";
import { parseUuidTime, uuidAt } from "../platform/runtime/runtime.ts";

/**
 * Returns the id of a file of an execution's input, or of a connector's message, the same for a repeated one. Sorts by the
 * owner's time.
 */
export const deriveFileId = (
  ownerId: string,
  { input, at }: { input: string; at: number },
): string => {
  const digest = createHash("sha256")
    .update(JSON.stringify([ownerId, input, at]))
    .digest();
  return uuidAt(parseUuidTime(ownerId), digest.subarray(0, 10));
};
