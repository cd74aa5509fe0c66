import type * as z from "zod";
import { purgeAgent } from "../../lib/agents/agent/purge-agent.ts";
import { agentTombstones } from "../../lib/agents/agent/tombstone.ts";
import type { PurgeAgentMessage } from "../../lib/agents/messages.ts";
import { connectorTombstones } from "../../lib/chat/connector/tombstone.ts";
import {
  purgeAgentChatUsers,
  purgeAgentConnectors,
  purgeConnector,
} from "../../lib/chat/purge/purge-connector.ts";
import { consumer } from "../../lib/edge/consumer.ts";
import { purgeDataset } from "../../lib/evaluation/dataset/purge-dataset.ts";
import { datasetTombstones } from "../../lib/evaluation/dataset/tombstone.ts";
import { purgeExecutions } from "../../lib/executions/purge/purge-executions.ts";
import {
  purgeLateExecutions,
  requestLatePurge,
} from "../../lib/executions/purge/purge-late-executions.ts";
import {
  purgeAgentSessions,
  purgeConnectorSessions,
  purgeSession,
  sessionTombstones,
} from "../../lib/executions/session/delete-session.ts";
import { purgeConnections } from "../../lib/integrations/connection/delete-connection.ts";
import { assetTombstones } from "../../lib/knowledge/asset/tombstone.ts";
import { removeDeleted } from "../../lib/knowledge/document/remove-deleted.ts";
import { type VectorStore, vectorStore } from "../../lib/knowledge/index/vector-store.ts";
import { purgeAsset } from "../../lib/knowledge/purge/purge-asset.ts";
import { removeDeletedMemory } from "../../lib/memory/delete-memory.ts";
import { purgePerson } from "../../lib/memory/erase-person.ts";
import { personTombstones } from "../../lib/memory/erasure-store.ts";
import { purgeAgentMemories, purgeMemories } from "../../lib/memory/purge-memories.ts";
import { namespaceTombstones } from "../../lib/memory/tombstone.ts";
import { database } from "../../lib/platform/db/database.ts";
import { purgedObjects } from "../../lib/platform/db/object-store.ts";
import { type PurgeDeps, type PurgeStep, purgeEntity } from "../../lib/platform/deletion/purge.ts";
import { type Send, send } from "../../lib/platform/queue/send.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { purgeSpending } from "../../lib/spending/budget/purge-spending.ts";
import { purgeWebhook } from "../../lib/webhooks/webhook/purge-webhook.ts";
import { purgeSubscriptions } from "../../lib/webhooks/webhook/subscription-deletion-store.ts";
import { webhookTombstones } from "../../lib/webhooks/webhook/tombstone.ts";
import { connectionDeps } from "../deps/connection-deps.ts";
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

/** Returns what every area deletes of an agent, in order; its usage by day is kept. */
const buildAgentSteps = (
  agent: PurgeAgentMessage,
  { vectors, send }: { vectors: VectorStore; send: Send },
): readonly PurgeStep[] => {
  const { tenantId, agentId } = agent;
  return [
    purgeSubscriptions(tenantId, { type: "Agent", id: agentId }),
    purgeAgentConnectors(agent, (id) => purgeSubscriptions(tenantId, { type: "Connector", id })),
    purgeAgentChatUsers(agent),
    purgeAgent(agent),
    ...purgeAgentMemories(agent, vectors),
    ...purgeExecutions(agent),
    // Executions that have no record end without a turn.
    ...purgeAgentSessions(agent),
    purgeSpending(agent),
    requestLatePurge(send, agent),
  ];
};

/** Deletes the data of a deleted thing of any area, until Unix milliseconds. */
export const purge = (
  message: Exclude<z.output<typeof rows.purgeDeleted.message>, { type: "purge-connections" }>,
  deps: PurgeDeps & { vectors: VectorStore },
): Promise<void> => {
  const { tenantId } = message;
  switch (message.type) {
    case "purge-agent":
      return purgeEntity(deps, {
        kind: agentTombstones,
        ref: message,
        buildSteps: () => buildAgentSteps(message, deps),
      });
    case "purge-webhook":
      return purgeEntity(deps, {
        kind: webhookTombstones,
        ref: message,
        buildSteps: (tombstone) => purgeWebhook(message, tombstone, deps.send),
      });
    case "purge-asset":
      return purgeEntity(deps, {
        kind: assetTombstones,
        ref: message,
        buildSteps: () => [
          purgeSubscriptions(tenantId, { type: "Asset", id: message.assetId }),
          ...purgeAsset(message, deps.vectors),
        ],
      });
    case "purge-dataset":
      return purgeEntity(deps, {
        kind: datasetTombstones,
        ref: message,
        buildSteps: () => purgeDataset(message),
      });
    case "purge-connector":
      return purgeEntity(deps, {
        kind: connectorTombstones,
        ref: message,
        buildSteps: () => [
          purgeSubscriptions(tenantId, { type: "Connector", id: message.connectorId }),
          ...purgeConnectorSessions({ send: deps.send, runtime: systemRuntime }, message),
          ...purgeConnector(message),
        ],
      });
    case "purge-late-executions":
      return purgeLateExecutions(deps, message);
    case "purge-session":
      return purgeEntity(deps, {
        kind: sessionTombstones,
        ref: message,
        buildSteps: () => purgeSession(message),
      });
    case "purge-memories":
      return purgeEntity(deps, {
        kind: namespaceTombstones,
        ref: message,
        buildSteps: () => [purgeMemories(message, deps.vectors)],
      });
    case "purge-person":
      return purgeEntity(deps, {
        kind: personTombstones,
        ref: message,
        buildSteps: (tombstone) =>
          purgePerson(
            { ...deps, runtime: { ...systemRuntime, clock: deps.clock } },
            { ref: message, tombstone },
          ),
      });
    case "remove-memory":
      return removeDeletedMemory(deps, message);
    case "remove-document":
      return removeDeleted(deps, { place: message, documentId: message.documentId });
  }
};

export const handler = consumer(rows.purgeDeleted, deps, (message, deps, { deadline }) =>
  message.type === "purge-connections"
    ? purgeConnections(connectionDeps(), message)
    : purge(message, { ...deps, until: deadline - finishMs }),
);
