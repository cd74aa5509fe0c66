import { consumer } from "../../lib/edge/consumer.ts";
import {
  type DestinationDeps,
  notifyDestination,
} from "../../lib/notifications/alert/notify-destination.ts";
import { database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { outgoingSettings } from "../../lib/platform/runtime/env.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import * as rows from "./messages.ts";

const deps = (): DestinationDeps => ({
  db: database(),
  sealer: kmsSealer(),
  outgoing: outgoingSettings(),
  ...systemRuntime,
});

export const handler = consumer(rows.notifyDestination, deps, ({ event, destinationId }, deps) =>
  notifyDestination(deps, event, destinationId),
);
