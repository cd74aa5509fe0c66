import { createHash } from "node:crypto";
import * as z from "zod";
import type { ConversationMessage } from "../../engine/flow/conversation-message.ts";
import type { Database } from "../../platform/db/database.ts";
import { listPage } from "../../platform/db/list-page.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { chatTurnKey, chatTurnsList } from "../keys.ts";
import type { AnswerChatMessage } from "../messages.ts";

/** Limits of the history passed to an agent. */
const maxTurns = 50;
const maxBytes = 32 * 1_024;
/** Maximum length of a stored message or reply, in UTF-16 units. */
const longestText = 8_000;
const keptSeconds = 30 * 24 * 3_600;

/** Stored turn: a message and its reply; `ttl` in Unix seconds, after 30 days. */
const ChatTurnItem = z.object({ said: z.string(), answered: z.string(), ttl: z.int() });

const conversationOf = ({ message }: AnswerChatMessage): string =>
  createHash("sha256").update(message.conversation.id).digest("hex");

const clip = (text: string): string => text.slice(0, longestText).toWellFormed();

/** Transaction write: stores a turn; idempotent per message. */
export const putTurn = (
  message: AnswerChatMessage,
  answered: string,
  now: number,
): TransactionWrite => {
  const Key = chatTurnKey(
    message.tenantId,
    message.connectorId,
    conversationOf(message),
    message.id,
  );
  const ttl = Math.ceil(now / 1_000) + keptSeconds;
  return {
    Put: { Item: { ...Key, said: clip(message.message.text), answered: clip(answered), ttl } },
  };
};

/**
 * TENANT#t#CONNECTOR#c / TURN#conversation#…: the history, oldest first: the last 50 turns within 30 days, up to
 * 32 KB.
 */
export const listHistory = async (
  db: Database,
  message: AnswerChatMessage,
  now: number,
): Promise<ConversationMessage[]> => {
  const list = chatTurnsList(message.tenantId, message.connectorId, conversationOf(message));
  const request = { list, newestFirst: true };
  const { items } = await listPage(db, ChatTurnItem, request, { size: maxTurns, skip: 0 });
  const turns: ConversationMessage[][] = [];
  let bytes = 0;
  for (const { said, answered, ttl } of items) {
    bytes += Buffer.byteLength(said) + Buffer.byteLength(answered);
    if (bytes > maxBytes || ttl <= now / 1_000) break;
    turns.push([
      { role: "user", text: said },
      { role: "assistant", text: answered },
    ]);
  }
  return turns.reverse().flat();
};
