import { scheduled } from "../../lib/edge/scheduled.ts";
import { refreshAssets as refresh } from "../../lib/knowledge/sync/refresh-assets.ts";
import { database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { refreshAssets } from "./schedules.ts";

/** Time reserved for the last start before the timeout. */
const finishMs = 30_000;

const deps = () => ({ db: database(), send, runtime: systemRuntime });

export const handler = scheduled(refreshAssets, deps, (deps) =>
  refresh(deps, deps.runtime.clock() + refreshAssets.timeoutSeconds * 1_000 - finishMs),
);
