import { setTimeout as sleep } from "node:timers/promises";
import { testConnector } from "../../lib/chat/connector/test-connector.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { outgoingSettings } from "../../lib/platform/runtime/env.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({
  db,
  sealer: kmsSealer(),
  outgoing: outgoingSettings(),
  clock: systemRuntime.clock,
  sleep: (ms: number) => sleep(ms),
});

export const handler = endpoint(rows.testConnector, ({ db, ctx, params }) =>
  testConnector(deps(db), { ctx, agentId: params.agent, connectorId: params.connector }),
);
