import type { Sealer } from "../../platform/db/seal.ts";
import { type Calling, createRegistrarFetch } from "../../platform/outgoing/registrar-fetch.ts";
import { refusalIn } from "../../platform/outgoing/registration-error.ts";
import type { AnswerChatMessage } from "../../platform/queue/messages.ts";
import { log } from "../../platform/runtime/log.ts";
import type { ConnectorItem } from "../connector/items.ts";
import { openParameters } from "../connector/secrets.ts";
import { chatProvider } from "../providers/index.ts";
import { splitWithin } from "./split-text.ts";

/** What answering in a chat needs. */
export type SayDeps = Calling & { sealer: Sealer };

/** Of an answer; what is longer is cut, so that a model run wild cannot flood a chat. */
const mostParts = 20;

/** What is said, from which part on, and what is done after each part. */
type Saying = {
  text: string;
  from: number;
  onPart: (sentParts: number) => Promise<void>;
  /** When all calls must be over, Unix milliseconds. */
  until: number;
};

/**
 * Sends an answer by the connector's provider, in parts where it is long, of which there are 20 at most. Throws when another attempt may
 * succeed; "refused" when none will, which the log tells.
 */
export const say = async (
  deps: SayDeps,
  connector: ConnectorItem,
  message: AnswerChatMessage,
  { text, from, onPart, until }: Saying,
): Promise<"sent" | "refused"> => {
  const provider = chatProvider(connector.provider);
  const parameters = await openParameters(deps.sealer, message.tenantId, connector);
  const fetch = createRegistrarFetch(deps, until);
  const parts = splitWithin(text, provider.textLimit(message.message), mostParts);
  for (const [at, part] of parts.entries()) {
    if (at < from) continue;
    const call = { connectorId: connector.id, parameters, fetch, now: deps.clock() };
    try {
      await provider.reply(call, {
        message: message.message,
        text: part,
        id: `msg_${message.id}_${at}`,
      });
    } catch (error) {
      const refusal = refusalIn(error);
      if (!refusal || refusal.isTransient) throw error;
      log().error("answer was refused by the chat provider", {
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
