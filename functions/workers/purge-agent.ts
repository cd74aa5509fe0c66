import { purgeAgent as purge } from "../../lib/agent/purge-agent.ts";
import { database } from "../../lib/db/database.ts";
import { objectStore } from "../../lib/db/object-store.ts";
import { consumer } from "../../lib/queue/consumer.ts";
import { send } from "../../lib/queue/send.ts";
import { systemRuntime } from "../../lib/runtime/runtime.ts";
import { purgeAgent } from "./messages.ts";

/** Leaves time to finish the batch under way before the function is cut off. */
const finishMs = 30_000;

const deps = () => ({
  db: database(),
  objects: objectStore(),
  send,
  clock: systemRuntime.clock,
});

export const handler = consumer(purgeAgent, deps, ({ tenantId, agentId }, deps, deadline) =>
  purge(tenantId, agentId, { ...deps, until: deadline - finishMs }),
);
