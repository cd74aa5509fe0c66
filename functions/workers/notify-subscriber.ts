import { revisionLoader } from "../../lib/agents/revision/load-revision.ts";
import { consumer } from "../../lib/edge/consumer.ts";
import { createToolRegistry } from "../../lib/engine/tools/registry.ts";
import { database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import {
  type NotifyDeps,
  notifySubscriber as notify,
} from "../../lib/webhooks/delivery/notify-subscriber.ts";
import { notifySubscriber } from "./messages.ts";

let shared: NotifyDeps | undefined;

const deps = (): NotifyDeps => {
  if (shared) return shared;
  const storage = { db: database(), objects: objectStore(), sealer: kmsSealer() };
  const loadRevision = revisionLoader({ ...storage, tools: createToolRegistry() });
  shared = { ...storage, send, loadRevision, runtime: systemRuntime };
  return shared;
};

export const handler = consumer(notifySubscriber, deps, (message, deps, { attempt }) =>
  notify(deps, message, attempt),
);
