import * as z from "zod";
import { purgePersonFiles } from "../../files/purge-person-files.ts";
import type { Database } from "../../platform/db/database.ts";
import { listAll } from "../../platform/db/list-page.ts";
import { type PurgeRun, type PurgeStep, purgeItems } from "../../platform/deletion/purge.ts";
import { purgeList } from "../../platform/deletion/purge-list.ts";
import type { PurgeRef } from "../../platform/deletion/tombstone.ts";
import { toChatUserMark } from "../chat-user/id.ts";
import { ChatUserItem } from "../chat-user/items.ts";
import { eraseChatUser, listConnectorChatUsers } from "../chat-user/user-store.ts";
import { ConnectorItem } from "../connector/items.ts";
import { deleteConnectorById } from "../connector/store.ts";
import { agentConnectorsList, chatUsersList, conversationsLists } from "../keys.ts";
import type { PurgeConnectorMessage } from "../messages.ts";

type ConnectorRef = PurgeRef<PurgeConnectorMessage>;

const Child = z.object({ pk: z.string(), sk: z.string() });

/** Returns the steps that delete a connector's conversations, and its chat users with their files. */
export const purgeConnector = (connector: ConnectorRef): readonly PurgeStep[] => [
  ...purgeConversations(connector),
  purgeChatUsers((db) => listConnectorChatUsers(db, connector.tenantId, connector)),
];

const purgeConversations = ({
  tenantId,
  connectorId,
}: Pick<ConnectorRef, "tenantId" | "connectorId">): readonly PurgeStep[] =>
  conversationsLists(tenantId, connectorId).map((list) =>
    purgeItems({ list: (db) => listAll(db, Child, list) }),
  );

/** Deletes chat users with their files and pending requests, and keeps decided requests. */
const purgeChatUsers =
  (list: (db: Database) => AsyncIterable<ChatUserItem>): PurgeStep =>
  (run) =>
    purgeList(
      list(run.db),
      async (users) => {
        const outcomes = await Promise.all(users.map((user) => purgeChatUser(run, user)));
        return outcomes.includes("more") ? "more" : "done";
      },
      { isTimeOver: run.isTimeOver, batchSize: 10 },
    );

/** Deletes a chat user after their files, which the next run could not find without them. */
const purgeChatUser = async (run: PurgeRun, user: ChatUserItem): Promise<"done" | "more"> => {
  const person = toChatUserMark(user.id);
  // Nothing of a deleted connector or agent is kept, whenever it was sent.
  const sent = { tenantId: user.tenantId, person, at: Number.POSITIVE_INFINITY };
  if ((await purgePersonFiles(sent)(run)) === "more") return "more";
  return (await eraseChatUser(run.db, user)) === "changed" ? "more" : "done";
};

/**
 * Deletes the connectors of a deleted agent with their subscriptions and conversations. The entries by which the next purge
 * finds the connectors are items of the agent.
 */
export const purgeAgentConnectors =
  (
    { tenantId, agentId }: Pick<ConnectorRef, "tenantId" | "agentId">,
    purgeSubscriptions: (connectorId: string) => PurgeStep,
  ): PurgeStep =>
  async (run) => {
    const list = agentConnectorsList(tenantId, agentId);
    for (const { id } of await Array.fromAsync(listAll(run.db, ConnectorItem, list))) {
      await deleteConnectorById(run.db, tenantId, id);
      const ref = { tenantId, connectorId: id };
      for (const step of [purgeSubscriptions(id), ...purgeConversations(ref)]) {
        if ((await step(run)) === "more") return "more";
      }
    }
    return "done";
  };

/**
 * Returns the step that deletes the chat users of a deleted agent with their files, also those of a connector that was deleted
 * before and is not purged yet. Runs after `purgeAgentConnectors`, which ends the receipt of files, and before the items
 * of the agent are deleted, by which the files are found.
 */
export const purgeAgentChatUsers = ({
  tenantId,
  agentId,
}: Pick<ConnectorRef, "tenantId" | "agentId">): PurgeStep =>
  purgeChatUsers((db) => listAll(db, ChatUserItem, chatUsersList(tenantId, agentId)));
