import { maxCalledUrlLength } from "../../platform/outgoing/parse-url.ts";
import { maxFilesOfInput } from "../../values/json/file-value.ts";
import { toFileName } from "../../values/text/file-name.ts";
import type { ReadAttachment, ReadMessage } from "../../vendors/chat-provider.ts";

const maxIdLength = 512;
const maxNameLength = 512;
const maxTextLength = 100_000;
const maxTypeLength = 128;

/** Replaces characters that SQS rejects. */
const clean = (text: string): string => text.toWellFormed().replaceAll(/[\uFFFE\uFFFF]/g, "\uFFFD");
const clip = (text: string, length: number): string => clean(text.slice(0, length));
const clipName = (name: string | null): string | null => name && clip(name, maxNameLength);

/** A message for the queue. */
export type NormalMessage = Omit<ReadMessage, "attachments"> & {
  /** At most 20. */
  attachments: readonly ReadAttachment[];
  /** Number of further attachments. */
  omittedAttachments: number;
};

/** Prepares a message for the queue, truncating the text to 100,000 characters. Undefined for ids that are too long. */
export const normalizeMessage = (message: ReadMessage): NormalMessage | undefined => {
  const { id, user, conversation, text, attachments = [] } = message;
  if ([id, user.id, conversation.id].some((value) => value.length > maxIdLength)) return undefined;
  return {
    ...message,
    id: clean(id),
    user: { id: clean(user.id), name: clipName(user.name) },
    conversation: { id: clean(conversation.id), name: clipName(conversation.name) },
    text: clip(text, maxTextLength),
    attachments: attachments.slice(0, maxFilesOfInput).map(normalizeAttachment),
    omittedAttachments: Math.max(0, attachments.length - maxFilesOfInput),
  };
};

const normalizeAttachment = ({ name, mediaType, ...rest }: ReadAttachment): ReadAttachment => ({
  ...rest,
  location: normalizeLocation(rest.location),
  name: name === null ? null : clean(toFileName(name) || "file"),
  mediaType: mediaType === null ? null : clip(mediaType, maxTypeLength),
});

/** Replaces an address or an id that is too long by an empty one, which cannot be fetched. */
const normalizeLocation = (location: ReadAttachment["location"]): ReadAttachment["location"] => {
  if ("base64" in location || "fileId" in location) return location;
  const values = "url" in location ? [location.url] : Object.values(location.reference);
  return values.every((value) => value.length <= maxCalledUrlLength) ? location : { url: "" };
};
