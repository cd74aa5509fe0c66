import { isUuid } from "../../../platform/http/ids.ts";
import type { Thumb } from "../../chat-provider.ts";

/**
 * The thumbs under the reply of an execution; the data of a press has at most 64 bytes, Telegram's
 * limit.
 */
export const buildThumbs = (executionId: string): readonly { label: string; data: string }[] => [
  { label: "👍", data: `thumb:up:${executionId}` },
  { label: "👎", data: `thumb:down:${executionId}` },
];

/** Reads the data of a press; undefined for that of another button, or without a user. */
export const readThumb = (
  userId: string | undefined,
  data: string | undefined,
): Thumb | undefined => {
  const [kind, direction, executionId = "", ...more] = (data ?? "").split(":");
  const isThumb = kind === "thumb" && (direction === "up" || direction === "down");
  if (!userId || !isThumb || !isUuid(executionId) || more.length > 0) return undefined;
  return { userId, executionId: executionId.toLowerCase(), isUp: direction === "up" };
};
