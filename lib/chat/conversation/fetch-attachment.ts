import { OutgoingError } from "../../platform/outgoing/outgoing-error.ts";
import { ProviderApiError } from "../../platform/outgoing/provider-api-error.ts";
import { type Calling, createProviderFetch } from "../../platform/outgoing/provider-fetch.ts";
import { request } from "../../platform/outgoing/request.ts";
import { findResponseName, toFileName } from "../../values/text/file-name.ts";
import type { ChatAttachment } from "../../vendors/chat-message.ts";
import type { ChatParameters, ChatProvider, DownloadCall } from "../../vendors/chat-provider.ts";
import { formatBytes } from "./attachment-notice.ts";

/** Time to fetch one attachment. */
const fileMs = 30_000;

/** Where attachments are fetched from, and how. */
export type AttachmentSource = {
  calling: Calling;
  connectorId: string;
  provider: ChatProvider;
  /** Opens the credentials. */
  openParameters: () => Promise<ChatParameters>;
  maxBytes: number;
  /** End of all calls, Unix milliseconds. */
  until: number;
};

/** An attachment that is not stored yet. */
export type RemoteAttachment = Omit<ChatAttachment, "location"> & {
  location: Exclude<ChatAttachment["location"], { fileId: string }>;
};

/**
 * Fetches an attachment: at a public address without a credential, and the provider's own with the bot's. Returns why it was not
 * fetched, for people in the chat, otherwise; never with an address or a credential.
 */
export const fetchAttachment = async (
  source: AttachmentSource,
  { name, mediaType, bytes, location }: RemoteAttachment,
): Promise<{ name: string; content: Uint8Array } | string> => {
  const { calling, maxBytes, until } = source;
  if (bytes !== null && bytes > maxBytes) return describeSize(maxBytes);
  if (calling.clock() >= until) return "there was no time left to fetch it";
  const download = createDownload(source);
  try {
    const file =
      "url" in location
        ? await download(location.url)
        : await fetchOwn(source, { reference: location.reference, mediaType, download });
    if (file.content.byteLength === 0) return "it is empty";
    return { name: toFileName(name ?? file.name) || "file", content: file.content };
  } catch (error) {
    if (error instanceof ProviderApiError) return error.message.replace(/\.$/, "");
    if (error instanceof OutgoingError) return describeFailure(error, maxBytes);
    throw error;
  }
};

const fetchOwn = async (
  { calling, connectorId, provider, openParameters, until }: AttachmentSource,
  {
    reference,
    mediaType,
    download,
  }: {
    reference: Readonly<Record<string, string>>;
    mediaType: string | null;
    download: DownloadCall["download"];
  },
) => {
  if (!provider.fetchAttachment) {
    throw new ProviderApiError(`${provider.displayName} has no attachments.`);
  }
  const call = {
    connectorId,
    parameters: await openParameters(),
    fetch: createProviderFetch(calling, until),
    now: calling.clock(),
    download,
  };
  return provider.fetchAttachment(call, { reference, mediaType });
};

const createDownload =
  ({ calling: { outgoing, clock }, maxBytes, until }: AttachmentSource): DownloadCall["download"] =>
  async (url, headers = {}) => {
    const timeoutMs = Math.max(1, Math.min(fileMs, until - clock()));
    const response = await request({ url, headers, maxBytes, timeoutMs }, outgoing);
    const { status, body } = response;
    if (status !== 200) throw new ProviderApiError(`its server responded with ${status}`, status);
    return {
      content: body,
      name: findResponseName(response.headers["content-disposition"], url),
      mediaType: response.headers["content-type"]?.split(";")[0]?.trim().toLowerCase(),
    };
  };

const describeSize = (maxBytes: number): string => `it is larger than ${formatBytes(maxBytes)}`;

const describeFailure = ({ kind }: OutgoingError, maxBytes: number): string => {
  switch (kind) {
    case "too-large":
      return describeSize(maxBytes);
    case "timeout":
      return "its server did not respond in time";
    case "connection-failed":
    case "too-many-redirects":
      return "its server could not be reached";
    case "bad-url":
    case "bad-request":
    case "blocked-address":
      return "its address may not be called";
  }
};
