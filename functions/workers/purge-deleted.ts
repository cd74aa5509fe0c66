import { purgeAgent } from "../../lib/agents/agent/purge-agent.ts";
import { purgeConnector } from "../../lib/chat/connector/purge-connector.ts";
import { consumer } from "../../lib/edge/consumer.ts";
import { database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { purgeWebhook } from "../../lib/webhooks/webhook/purge-webhook.ts";
import { purgeDeleted } from "./messages.ts";

/** Time reserved for finishing the current batch before the timeout. */
const finishMs = 30_000;

const deps = () => ({
  db: database(),
  objects: objectStore(),
  send,
  clock: systemRuntime.clock,
});

export const handler = consumer(purgeDeleted, deps, (message, deps, { deadline }) => {
  const limited = { ...deps, until: deadline - finishMs };
  switch (message.type) {
    case "purge-agent":
      return purgeAgent(message.tenantId, message.agentId, limited);
    case "purge-webhook":
      return purgeWebhook(message.tenantId, message.webhookId, limited);
    case "purge-connector":
      return purgeConnector(message, limited);
  }
});
