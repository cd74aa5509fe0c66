import { database } from "../../lib/db/database.ts";
import { objectStore } from "../../lib/db/object-store.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import {
  type NotifyDeps,
  notifySubscriber as notify,
} from "../../lib/inbound/notify-subscriber.ts";
import { consumer } from "../../lib/queue/consumer.ts";
import { send } from "../../lib/queue/send.ts";
import { revisionLoader } from "../../lib/revision/load-revision.ts";
import { systemRuntime } from "../../lib/runtime/runtime.ts";
import { createToolRegistry } from "../../lib/tools/tool-registry.ts";
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
