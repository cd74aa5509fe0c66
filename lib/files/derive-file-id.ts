import { createHash } from "node:crypto";
import { parseUuidTime, uuidAt } from "../platform/runtime/runtime.ts";

/** Returns the id of a file of an execution's input, the same for a repeated start. Sorts by the execution's start. */
export const deriveFileId = (
  executionId: string,
  { input, at }: { input: string; at: number },
): string => {
  const digest = createHash("sha256")
    .update(JSON.stringify([executionId, input, at]))
    .digest();
  return uuidAt(parseUuidTime(executionId), digest.subarray(0, 10));
};
