import * as z from "zod";
import type { ConversationMessage } from "../../engine/flow/conversation-message.ts";
import type { Database } from "../../platform/db/database.ts";
import { listPage } from "../../platform/db/list-page.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { clip } from "../chat-user/kept-message.ts";
import { chatTurnKey, chatTurnsList } from "../keys.ts";
import type { ConversationKey } from "./conversation-key.ts";
import type { PlacedMessage } from "./reply-store.ts";

/** Retention of turns. */
const keptMs = 30 * 86_400_000;

/** Limits of the history passed to an agent. */
const maxTurns = 50;
const maxBytes = 32 * 1_024;
/** Maximum length of a stored message or reply, in UTF-16 units. */
const maxTextLength = 8_000;

/** Stored turn: a message and its reply; `ttl` in Unix seconds, after 30 days. */
const ChatTurnItem = z.object({ received: z.string(), reply: z.string(), ttl: z.int() });

/** Transaction write: stores a turn; idempotent per message. */
export const putTurn = (
  { message, place }: PlacedMessage,
  reply: string,
  now: number,
): TransactionWrite => {
  const Key = chatTurnKey(place, place.conversation, message.id);
  const ttl = Math.ceil(now / 1_000) + keptMs / 1_000;
  const texts = {
    received: clip(message.message.text, maxTextLength),
    reply: clip(reply, maxTextLength),
  };
  return { Put: { Item: { ...Key, ...texts, ttl } } };
};

/**
 * TENANT#t#CONNECTOR#c#shard / TURN#conversation#…: the history, oldest first: the last 50 turns within 30 days, up to
 * 32 KB.
 */
export const listHistory = async (
  db: Database,
  place: ConversationKey,
  now: number,
): Promise<ConversationMessage[]> => {
  const request = { list: chatTurnsList(place, place.conversation), newestFirst: true };
  const page = { size: maxTurns, skip: 0 };
  const { items } = await listPage(db, ChatTurnItem, request, page);
  const turns: ConversationMessage[][] = [];
  let bytes = 0;
  for (const { received, reply, ttl } of items) {
    bytes += Buffer.byteLength(received) + Buffer.byteLength(reply);
    if (bytes > maxBytes || ttl <= now / 1_000) break;
    turns.push([
      { role: "user", text: received },
      { role: "assistant", text: reply },
    ]);
  }
  return turns.reverse().flat();
};
