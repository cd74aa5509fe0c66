import { isUuid } from "../../../platform/http/ids.ts";
import type { ButtonPress, ChatButton } from "../../chat-provider.ts";

/** A press of a thumb under a reply: the user, and the execution behind the reply. */
export type Thumb = { userId: string; executionId: string; isUp: boolean };

/** The thumbs under the reply of an execution. */
export const buildThumbs = (executionId: string): readonly ChatButton[] => [
  { label: "👍", data: `thumb:up:${executionId}` },
  { label: "👎", data: `thumb:down:${executionId}` },
];

/** Reads the press of a thumb; undefined for that of another button. */
export const readThumb = ({ user, data }: ButtonPress): Thumb | undefined => {
  const [kind, direction, executionId = "", ...more] = data.split(":");
  const isThumb = kind === "thumb" && (direction === "up" || direction === "down");
  if (!isThumb || !isUuid(executionId) || more.length > 0) return undefined;
  return { userId: user.id, executionId: executionId.toLowerCase(), isUp: direction === "up" };
};
