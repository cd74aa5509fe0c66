import type { Consumer } from "../../lib/queue/consumer.ts";
import { PurgeAgentMessage } from "../../lib/queue/messages.ts";

export const purgeAgent = {
  operation: "purge-agent",
  queue: "housekeeping",
  message: PurgeAgentMessage,
  access: { table: "write", bucket: "write", publishes: ["housekeeping"] },
  timeoutSeconds: 120,
  batchSize: 1,
} as const satisfies Consumer;

/** Every queue consumer; infra and the local stack loop over these. */
export const consumers: readonly Consumer[] = [purgeAgent];
