import * as z from "zod";
import { maxFilesOfInput } from "../../values/json/file-value.ts";
import type { ParameterDescriptor } from "../../values/json/parameters.ts";

/** A notice to a chat about the attachments of a message. `isReply`: in place of the agent, which does not run. */
export const AttachmentNotice = z.object({ text: z.string(), isReply: z.boolean() });
export type AttachmentNotice = z.output<typeof AttachmentNotice>;

/** An attachment that was not passed on. `reason` has no final period. */
export type RefusedAttachment = { name: string; reason: string };

const maxNamed = 5;
const maxNameLength = 100;
const mebibyte = 1024 * 1024;

/** Describes the attachments that an agent without an input for files does not receive. */
export const describeIgnored = (count: number): string =>
  count === 1
    ? "The attachment was not passed on: this agent takes no files."
    : `The ${count} attachments were not passed on: this agent takes no files.`;

/** Describes the attachments that were not passed on. `omitted`: the number of those beyond the maximum. */
export const describeRefused = (
  refused: readonly RefusedAttachment[],
  omitted: number,
): string | undefined => {
  const named = refused
    .slice(0, maxNamed)
    .map(({ name, reason }) => `"${name.slice(0, maxNameLength).toWellFormed()}" (${reason})`);
  const others = refused.length - named.length;
  const parts = [
    ...named,
    ...(others > 0 ? [`${others} more`] : []),
    ...(omitted > 0 ? [`${omitted} beyond the first ${maxFilesOfInput}`] : []),
  ];
  return parts.length > 0 ? `Attachments that were not passed on: ${parts.join(", ")}.` : undefined;
};

/** Asks for the file that an agent requires. */
export const describeMissing = ({ accept }: Pick<ParameterDescriptor, "accept">): string => {
  const types = accept?.length ? ` (${accept.join(", ")})` : "";
  return `This agent needs a file${types}. Send it with your message.`;
};

/** Formats a size in bytes for people. */
export const formatBytes = (bytes: number): string =>
  bytes < mebibyte ? `${bytes} bytes` : `${Math.floor((bytes / mebibyte) * 10) / 10} MiB`;

/** Appends a notice to a reply. */
export const withNotice = (text: string, notice: AttachmentNotice | undefined): string =>
  [text, notice?.text ?? ""].filter((part) => part.trim() !== "").join("\n\n");
