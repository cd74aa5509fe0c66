import type * as z from "zod";
import { type PurgeOfAgent, purgeAgent } from "../../lib/agents/agent/purge-agent.ts";
import { purgeAgentConnectors, purgeConnector } from "../../lib/chat/purge/purge-connector.ts";
import { consumer } from "../../lib/edge/consumer.ts";
import { purgeDataset } from "../../lib/evaluation/dataset/purge-dataset.ts";
import { purgeAsset } from "../../lib/knowledge/purge/purge-asset.ts";
import { type VectorStore, vectorStore } from "../../lib/knowledge/vectors/store.ts";
import { type Database, database } from "../../lib/platform/db/database.ts";
import type { PurgedObjects } from "../../lib/platform/db/large-value.ts";
import { purgedObjects } from "../../lib/platform/db/object-store.ts";
import { type Send, send } from "../../lib/platform/queue/send.ts";
import { type Clock, systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { purgeWebhook } from "../../lib/webhooks/webhook/purge-webhook.ts";
import { removeSubscriberSubscriptions } from "../../lib/webhooks/webhook/subscription-deletion-store.ts";
import * as rows from "./messages.ts";

/** Time reserved for finishing the current batch before the timeout. */
const finishMs = 30_000;

const deps = () => ({
  db: database(),
  objects: purgedObjects(),
  vectors: vectorStore(),
  send,
  clock: systemRuntime.clock,
});

/** Subscriptions of the agent, then its connectors with theirs. */
const dependents: readonly PurgeOfAgent[] = [
  (db, tenantId, id, isTimeOver) =>
    removeSubscriberSubscriptions(db, tenantId, { type: "Agent", id }, isTimeOver),
  (db, tenantId, id, isTimeOver) =>
    purgeAgentConnectors(db, tenantId, id, {
      isTimeOver,
      removeSubscriptions: removeSubscriberSubscriptions,
    }),
];

/** Deletes the records of a deleted agent, webhook, connector, asset or dataset in all areas, until Unix milliseconds. */
export const purge = (
  message: z.output<typeof rows.purgeDeleted.message>,
  deps: {
    db: Database;
    objects: PurgedObjects;
    vectors: VectorStore;
    send: Send;
    clock: Clock;
    until: number;
  },
): Promise<void> => {
  switch (message.type) {
    case "purge-agent":
      return purgeAgent(message.tenantId, message.agentId, { ...deps, dependents });
    case "purge-webhook":
      return purgeWebhook(message.tenantId, message.webhookId, deps);
    case "purge-asset":
      return purgeAsset(message, { ...deps, removeSubscriptions: removeSubscriberSubscriptions });
    case "purge-dataset":
      return purgeDataset(message, deps);
    case "purge-connector":
      return purgeConnector(message, {
        ...deps,
        removeSubscriptions: removeSubscriberSubscriptions,
      });
  }
};

export const handler = consumer(rows.purgeDeleted, deps, (message, deps, { deadline }) =>
  purge(message, { ...deps, until: deadline - finishMs }),
);
