import * as z from "zod";
import { listAll } from "../../platform/db/list-page.ts";
import { type PurgeStep, purgeItems } from "../../platform/deletion/purge.ts";
import { purgeList } from "../../platform/deletion/purge-list.ts";
import type { PurgeRef } from "../../platform/deletion/tombstone.ts";
import { eraseChatUser, listConnectorChatUsers } from "../chat-user/user-store.ts";
import { ConnectorItem } from "../connector/items.ts";
import { deleteConnectorById } from "../connector/store.ts";
import { agentConnectorsList, conversationsLists } from "../keys.ts";
import type { PurgeConnectorMessage } from "../messages.ts";

type ConnectorRef = PurgeRef<PurgeConnectorMessage>;

const Child = z.object({ pk: z.string(), sk: z.string() });

/** Returns the steps that delete a connector's conversations and chat users. */
export const purgeConnector = (connector: ConnectorRef): readonly PurgeStep[] => [
  ...purgeConversations(connector),
  purgeChatUsers(connector),
];

const purgeConversations = ({ tenantId, connectorId }: ConnectorRef): readonly PurgeStep[] =>
  conversationsLists(tenantId, connectorId).map((list) =>
    purgeItems({ list: (db) => listAll(db, Child, list) }),
  );

/** Deletes a connector's chat users with their pending requests, and keeps decided requests. */
const purgeChatUsers =
  ({ tenantId, ...connector }: ConnectorRef): PurgeStep =>
  ({ db, isTimeOver }) =>
    purgeList(
      listConnectorChatUsers(db, tenantId, connector),
      async (users) => {
        const outcomes = await Promise.all(users.map((user) => eraseChatUser(db, user)));
        return outcomes.includes("changed") ? "more" : "done";
      },
      { isTimeOver, batchSize: 10 },
    );

/**
 * Deletes the connectors of a deleted agent with their subscriptions and conversations. Their chat users are items of the
 * agent, as are the entries by which the next purge finds the connectors.
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
      const ref = { tenantId, agentId, connectorId: id };
      for (const step of [purgeSubscriptions(id), ...purgeConversations(ref)]) {
        if ((await step(run)) === "more") return "more";
      }
    }
    return "done";
  };
