import { type DestinationDeps, tellDestination as tell } from "../../lib/alert/tell-destination.ts";
import { database } from "../../lib/db/database.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { consumer } from "../../lib/queue/consumer.ts";
import { outgoingSettings } from "../../lib/runtime/env.ts";
import { systemRuntime } from "../../lib/runtime/runtime.ts";
import { tellDestination } from "./messages.ts";

const sealer = kmsSealer();
const deps = (): DestinationDeps => ({
  db: database(),
  sealer,
  outgoing: outgoingSettings(),
  clock: systemRuntime.clock,
});

export const handler = consumer(tellDestination, deps, ({ event, destinationId }, deps) =>
  tell(deps, event, destinationId),
);
