import type { AnswerChatMessage } from "../../platform/queue/messages.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { TenantOwner } from "../../tenancy/tenant/store.ts";
import { normalizeMessage } from "../providers/normalize-message.ts";
import type { ReadMessage } from "../providers/provider.ts";
import { chatGroup } from "./group.ts";

/** What people said to a connector. */
export type Said = {
  tenant: TenantOwner;
  connectorId: string;
  messages: readonly ReadMessage[];
  /** When we took it in, Unix milliseconds. */
  receivedAt: number;
  /** Our id of the nth message, version 7. */
  idOf: (at: number) => string;
};

/**
 * Has messages answered: each is one on the queue `chats`, those of one conversation in the order in which the
 * provider tells them. One whose ids are none that a provider gives is left out. Says how many were queued.
 */
export const queueMessages = async (
  send: Send,
  { tenant, connectorId, messages: read, receivedAt, idOf }: Said,
): Promise<number> => {
  const messages = read
    .flatMap((each) => normalizeMessage(each) ?? [])
    .map(
      (message, at): AnswerChatMessage => ({
        type: "answer-chat",
        tenantId: tenant.id,
        organizationId: tenant.organizationId,
        connectorId,
        id: idOf(at),
        message: { ...message, receivedAt },
      }),
    );
  const groups = Map.groupBy(messages, chatGroup);
  await Promise.all(
    [...groups].map(async ([group, members]) => {
      for (const member of members) await send("chats", group, member);
    }),
  );
  return messages.length;
};
