import { setTimeout as sleep } from "node:timers/promises";
import { testConnector as test } from "../../lib/connector/test-connector.ts";
import { database } from "../../lib/db/database.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { outgoingSettings } from "../../lib/runtime/env.ts";
import { systemRuntime } from "../../lib/runtime/runtime.ts";
import { testConnector } from "./routes.ts";

const deps = () => ({
  db: database(),
  sealer: kmsSealer(),
  outgoing: outgoingSettings(),
  clock: systemRuntime.clock,
  sleep: (ms: number) => sleep(ms),
});

export const handler = endpoint(testConnector, deps, ({ ctx, params }, deps) =>
  test({ ctx, input: { agentId: params.agent, connectorId: params.connector }, deps }),
);
