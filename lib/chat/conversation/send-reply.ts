import type { Sealer } from "../../platform/db/seal.ts";
import { refusalIn } from "../../platform/outgoing/provider-api-error.ts";
import { type Calling, createProviderFetch } from "../../platform/outgoing/provider-fetch.ts";
import { log } from "../../platform/runtime/log.ts";
import type { ReplySources } from "../../vendors/chat-provider.ts";
import { chatProvider } from "../../vendors/registry/find-chat-provider.ts";
import { buildThumbs } from "../../vendors/shared/chat/thumbs.ts";
import type { ConnectorItem } from "../connector/items.ts";
import { openParameters } from "../connector/secrets.ts";
import type { ReplyToChatMessage } from "../messages.ts";
import { hasRoomForSources } from "./select-sources.ts";
import { splitWithin } from "./split-reply.ts";

/** Dependencies of sending replies. */
export type ReplyDeps = Calling & { sealer: Sealer };

/** Maximum parts of a reply; the rest is truncated, so that a runaway model cannot flood a chat. */
const maxParts = 20;

/** The text, the first part to send, and the callback after each part. */
type OutgoingReply = {
  text: string;
  from: number;
  /** The execution behind the reply, for connectors with thumbs; undefined for another reply. */
  executionId?: string | undefined;
  /** Listed below the text, unless the connector's setting is off. */
  sources?: ReplySources | undefined;
  onPart: (sentParts: number) => Promise<void>;
  /** Deadline of all calls, Unix milliseconds. */
  until: number;
};

/**
 * Sends a reply through the connector's provider, in at most 20 parts and one of sources. Throws when a retry may succeed; logs and
 * returns "refused" when none will.
 */
export const sendReply = async (
  deps: ReplyDeps,
  {
    connector,
    message,
    text,
    from,
    executionId,
    sources,
    onPart,
    until,
  }: { connector: ConnectorItem; message: ReplyToChatMessage } & OutgoingReply,
): Promise<"sent" | "refused"> => {
  const provider = chatProvider(connector.provider);
  const parameters = await openParameters(deps.sealer, message.tenantId, connector);
  const fetch = createProviderFetch(deps, until);
  const limit = provider.textLimit(message.message);
  const listed = parameters.sources === "false" ? undefined : sources;
  const parts = splitWithin(text, limit, maxParts);
  if (listed && !hasRoomForSources(parts.at(-1) ?? "", listed, limit)) parts.push("");
  const hasThumbs = executionId !== undefined && parameters.thumbs === "true";
  for (const [at, part] of parts.entries()) {
    if (at < from) continue;
    const call = { connectorId: connector.id, parameters, fetch, now: deps.clock() };
    try {
      await provider.reply(call, {
        message: message.message,
        text: part,
        id: `msg_${message.id}_${at}`,
        ...(hasThumbs && at === parts.length - 1 && { buttons: buildThumbs(executionId) }),
        ...(at === parts.length - 1 && { sources: listed }),
      });
    } catch (error) {
      const refusal = refusalIn(error);
      if (!refusal || refusal.isTransient) throw error;
      log("chat-reply-refused", {
        connectorId: connector.id,
        messageId: message.id,
        reason: refusal.reason,
      });
      return "refused";
    }
    if (at < parts.length - 1) await onPart(at + 1);
  }
  return "sent";
};
