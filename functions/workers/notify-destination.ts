import { consumer } from "../../lib/edge/consumer.ts";
import { buildOtlpTrace } from "../../lib/executions/otlp/build-otlp-trace.ts";
import {
  type DestinationDeps,
  notifyDestination,
} from "../../lib/notifications/alert/notify-destination.ts";
import { database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { Uuid } from "../../lib/platform/http/ids.ts";
import { outgoingSettings } from "../../lib/platform/runtime/env.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import * as rows from "./messages.ts";

const deps = (): DestinationDeps => ({
  db: database(),
  sealer: kmsSealer(),
  outgoing: outgoingSettings(),
  buildTrace: async ({ tenantId, agentId, data }, content) => {
    const executionId = Uuid.parse(data.executionId);
    if (tenantId === null || agentId === null) return undefined;
    const storage = { db: database(), objects: objectStore() };
    return buildOtlpTrace(storage, { tenantId, agentId, executionId, content });
  },
  ...systemRuntime,
});

export const handler = consumer(rows.notifyDestination, deps, ({ event, destinationId }, deps) =>
  notifyDestination(deps, { event, destinationId }),
);
