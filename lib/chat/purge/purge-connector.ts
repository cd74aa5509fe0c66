import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { deleteTogether } from "../../platform/db/delete-together.ts";
import { listAll } from "../../platform/db/list-page.ts";
import { purgeList } from "../../platform/db/purge-list.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { deleteTombstone } from "../connector/deletion-store.ts";
import { ConnectorItem } from "../connector/items.ts";
import { requestPurge } from "../connector/request-purge.ts";
import { deleteConnectorById, getConnector } from "../connector/store.ts";
import { agentConnectorsList, conversationsLists } from "../keys.ts";
import type { PurgeConnectorMessage } from "../messages.ts";
import { purgeChatUsers } from "./purge-chat-users.ts";

/** Deletes a connector's subscriptions to webhooks; "more" when time ran out. */
export type RemoveSubscriptions = (
  db: Database,
  tenantId: TenantId,
  subscriber: { type: "Connector"; id: string },
  isTimeOver: () => boolean,
) => Promise<"done" | "more">;

/** `isTimeOver` returns whether to stop, since the function ends soon. */
type Purging = {
  readonly isTimeOver: () => boolean;
  readonly removeSubscriptions: RemoveSubscriptions;
};

const Child = z.object({ pk: z.string(), sk: z.string() });

/** Deletes a connector's conversations. Idempotent; "more" when time ran out. */
const purgeConversations = async (
  db: Database,
  tenantId: TenantId,
  connectorId: string,
  isTimeOver: () => boolean,
): Promise<"done" | "more"> => {
  for (const list of conversationsLists(tenantId, connectorId)) {
    const left = await purgeList(
      listAll(db, Child, list),
      (children) => deleteTogether(db, children),
      { isTimeOver },
    );
    if (left === "more") return left;
  }
  return "done";
};

/** Deletes a connector's subscriptions, then its conversations. */
const purgeSubscriptionsAndConversations = async (
  db: Database,
  tenantId: TenantId,
  connectorId: string,
  { isTimeOver, removeSubscriptions }: Purging,
): Promise<"done" | "more"> => {
  const subscriber = { type: "Connector", id: connectorId } as const;
  const left = await removeSubscriptions(db, tenantId, subscriber, isTimeOver);
  return left === "more" ? left : purgeConversations(db, tenantId, connectorId, isTimeOver);
};

/**
 * Purges a deleted connector's subscriptions, chat users and conversations; a no-op for an existing one. Requests
 * another run when time runs out (`until` in Unix milliseconds).
 */
export const purgeConnector = async (
  message: PurgeConnectorMessage,
  {
    db,
    send,
    clock,
    until,
    removeSubscriptions,
  }: {
    db: Database;
    send: Send;
    clock: Clock;
    until: number;
    removeSubscriptions: RemoveSubscriptions;
  },
): Promise<void> => {
  const { tenantId, connectorId } = message;
  if (await getConnector(db, tenantId, connectorId)) return;
  const isTimeOver = () => clock() >= until;
  const outcome = await purgeSubscriptionsAndConversations(db, tenantId, connectorId, {
    isTimeOver,
    removeSubscriptions,
  });
  const rest =
    outcome === "more" ? outcome : await purgeChatUsers(db, tenantId, message, isTimeOver);
  if (rest === "more") return requestPurge(send, tenantId, message);
  await deleteTombstone(db, tenantId, connectorId);
};

/** Deletes the connectors of a deleted agent and their data; "more" when time ran out. */
export const purgeAgentConnectors = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  purging: Purging,
): Promise<"done" | "more"> => {
  const list = agentConnectorsList(tenantId, agentId);
  const connectors = await Array.fromAsync(listAll(db, ConnectorItem, list));
  for (const connector of connectors) {
    await deleteConnectorById(db, tenantId, connector.id);
    const left = await purgeSubscriptionsAndConversations(db, tenantId, connector.id, purging);
    if (left === "more") return "more";
  }
  return "done";
};
