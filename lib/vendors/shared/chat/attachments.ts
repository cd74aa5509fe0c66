import { parseAddress } from "../../../platform/outgoing/parse-address.ts";
import type { ChatParameters, ReadAttachment } from "../../chat-provider.ts";
import { getMember, getText } from "../webhook/payload-members.ts";

/** The members of a provider's attachment that describe it. */
type Described = { name: string; mediaType: string; bytes: string };

/** Describes an attachment as its provider declares it. */
export const describeAttachment = (
  attachment: unknown,
  { name, mediaType, bytes }: Described,
): Omit<ReadAttachment, "location"> => {
  const size = getMember(attachment, bytes);
  return {
    name: getText(attachment, name) ?? null,
    mediaType: getText(attachment, mediaType) ?? null,
    bytes: typeof size === "number" && Number.isSafeInteger(size) && size >= 0 ? size : null,
  };
};

/** Names an attachment of a kind that has no name: `image.jpeg`, or `image` for an unknown media type. */
export const nameAttachment = (kind: string, mediaType: string | null): string => {
  const extension = /^[a-z]+\/([a-z0-9]+)(?:;|$)/i.exec(mediaType ?? "")?.[1];
  return extension === undefined ? kind : `${kind}.${extension.toLowerCase()}`;
};

/** Adds attachments to a message that has any. */
export const withAttachments = (
  attachments: readonly ReadAttachment[],
): { attachments?: readonly ReadAttachment[] } => (attachments.length > 0 ? { attachments } : {});

/**
 * Returns whether an address may receive the bot's credential: one of the provider's hosts, by https, or one at the origin of
 * the connector's `apiUrl`.
 */
export const isTrustedAddress = (
  { apiUrl }: ChatParameters,
  address: string,
  hosts: RegExp,
): boolean => {
  const url = parseAddress(address);
  if (!url) return false;
  const isProviders = url.protocol === "https:" && url.port === "" && hosts.test(url.hostname);
  return isProviders || (apiUrl !== undefined && url.origin === new URL(apiUrl).origin);
};
