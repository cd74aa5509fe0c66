import * as z from "zod";
import { zodErrorMap } from "../../../platform/http/zod-error-map.ts";
import { maxCalledUrlLength } from "../../../platform/outgoing/parse-url.ts";
import {
  type FileReference,
  maxFilesOfInput,
  readFileReference,
} from "../../../values/json/file-value.ts";
import { buildPointer, isRecord } from "../../../values/json/json.ts";
import type { ReadAttachment, ReadMessage } from "../../chat-provider.ts";
import { withAttachments } from "./attachments.ts";

const id = z.string().min(1).max(512);
const name = z.string().max(512).nullish();
const maxTextLength = 100_000;

type GenericAttachment = {
  name: string | null;
  location: Exclude<FileReference, { fileId: string }>;
};

const parseAttachment = (value: unknown): GenericAttachment | undefined => {
  const location = readFileReference(value);
  if (typeof location === "string" || "fileId" in location) return undefined;
  const given = isRecord(value) && typeof value.name === "string" ? value.name : null;
  if ("base64" in location) return { name: given, location };
  const { url } = location;
  return url.length <= maxCalledUrlLength ? { name: given, location: { url } } : undefined;
};

/** `{url, name?}` or `{base64, name?}`. */
const Attachment = z.unknown().transform((value, context): GenericAttachment => {
  const attachment = parseAttachment(value);
  if (attachment) return attachment;
  context.issues.push({
    code: "custom",
    message: 'must be an attachment: {"url", "name"} or {"base64", "name"}',
    input: value,
  });
  return z.NEVER;
});

const Message = z.object({
  id,
  user: z.object({ id, name }),
  conversation: z.object({ id, name }),
  text: z.string().min(1).max(maxTextLength),
  attachments: z.array(Attachment).max(maxFilesOfInput).nullish(),
});
const MessageWithAttachments = Message.extend({ text: z.string().max(maxTextLength) });

/** Validation problems of a generic message, by JSON pointer. */
export type GenericProblems = readonly { pointer: string; detail: string }[];

/**
 * Parses `{id, user: {id, name?}, conversation: {id, name?}, text, attachments?}`, or returns its problems. The text has at
 * most 100,000 characters, and may be empty with attachments.
 */
export const readGenericMessage = (
  value: unknown,
): { message: ReadMessage } | { problems: GenericProblems } => {
  const given = isRecord(value) ? value.attachments : undefined;
  const hasAttachments = Array.isArray(given) && given.length > 0;
  const schema = hasAttachments ? MessageWithAttachments : Message;
  const { data, error } = schema.safeParse(value, { error: zodErrorMap });
  if (error) {
    const problems = error.issues.map(({ path, message }) => ({
      pointer: buildPointer(...path.map(String)),
      detail: message,
    }));
    return { problems };
  }
  const { user, conversation, attachments } = data;
  return {
    message: {
      id: data.id,
      user: { id: user.id, name: user.name ?? null },
      conversation: { id: conversation.id, name: conversation.name ?? null },
      text: data.text,
      ...withAttachments((attachments ?? []).map(toAttachment)),
    },
  };
};

const toAttachment = ({ name: given, location }: GenericAttachment): ReadAttachment => ({
  name: given,
  mediaType: null,
  bytes: null,
  location: "url" in location ? location : { base64: location.base64 },
});
