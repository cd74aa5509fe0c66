import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { deleteTogether } from "../../platform/db/delete-together.ts";
import { agentConnectorsList, connectorChildrenList } from "../../platform/db/keys.ts";
import { listAll } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { PurgeConnectorMessage } from "../../platform/queue/messages.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { removeSubscriptionsOf } from "../../webhooks/webhook/subscription-store.ts";
import { purgeChatUsers } from "../chat-user/purge-chat-users.ts";
import { removeMark } from "./deletion-store.ts";
import { ConnectorItem } from "./items.ts";
import { requestPurge } from "./request-purge.ts";
import { closeConnector, getConnector } from "./store.ts";

const Child = z.object({ pk: z.string(), sk: z.string() });
const batchSize = 100;

/** Removes what a connector kept of conversations. Safe to repeat; "more" when the time was over before the end. */
const purgeConversations = async (
  db: Database,
  tenantId: TenantId,
  connectorId: string,
  isTimeOver: () => boolean,
): Promise<"done" | "more"> => {
  let batch: z.output<typeof Child>[] = [];
  for await (const child of listAll(db, Child, connectorChildrenList(tenantId, connectorId))) {
    batch.push(child);
    if (batch.length < batchSize) continue;
    await deleteTogether(db, batch);
    batch = [];
    if (isTimeOver()) return "more";
  }
  await deleteTogether(db, batch);
  return "done";
};

/** The same, after its subscriptions were ended. */
const purgeKept = async (
  db: Database,
  tenantId: TenantId,
  connectorId: string,
  isTimeOver: () => boolean,
): Promise<"done" | "more"> => {
  const subscriber = { type: "Connector", id: connectorId } as const;
  const left = await removeSubscriptionsOf(db, tenantId, subscriber, isTimeOver);
  return left === "more" ? left : purgeConversations(db, tenantId, connectorId, isTimeOver);
};

/**
 * Removes a deleted connector's subscriptions and chat users, and what it kept of conversations; does nothing
 * for one that lives. What time does not suffice for is asked for again. `until` in Unix milliseconds.
 */
export const purgeConnector = async (
  message: PurgeConnectorMessage,
  { db, send, clock, until }: { db: Database; send: Send; clock: Clock; until: number },
): Promise<void> => {
  const { tenantId, connectorId } = message;
  if (await getConnector(db, tenantId, connectorId)) return;
  const isTimeOver = () => clock() >= until;
  const kept = await purgeKept(db, tenantId, connectorId, isTimeOver);
  const left = kept === "more" ? kept : await purgeChatUsers(db, tenantId, message, isTimeOver);
  if (left === "more") return requestPurge(send, tenantId, message);
  await removeMark(db, tenantId, connectorId);
};

/** Removes the connectors of a deleted agent with all that they kept; "more" when the time was over. */
export const purgeConnectorsOf = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  isTimeOver: () => boolean,
): Promise<"done" | "more"> => {
  const list = agentConnectorsList(tenantId, agentId);
  const connectors = await Array.fromAsync(listAll(db, ConnectorItem, list));
  for (const connector of connectors) {
    await closeConnector(db, tenantId, connector.id);
    const left = await purgeKept(db, tenantId, connector.id, isTimeOver);
    if (left === "more") return "more";
  }
  return "done";
};
