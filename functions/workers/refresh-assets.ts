import { scheduled } from "../../lib/edge/scheduled.ts";
import { refreshAssets } from "../../lib/knowledge/sync/refresh-assets.ts";
import { database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import * as rows from "./schedules.ts";

/** Time reserved for the last start before the timeout. */
const finishMs = 30_000;

const deps = () => ({ db: database(), send, runtime: systemRuntime });

export const handler = scheduled(rows.refreshAssets, deps, (deps) =>
  refreshAssets(deps, deps.runtime.clock() + rows.refreshAssets.timeoutSeconds * 1_000 - finishMs),
);
