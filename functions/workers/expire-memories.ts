import { scheduled } from "../../lib/edge/scheduled.ts";
import { vectorStore } from "../../lib/knowledge/index/vector-store.ts";
import { expireMemories } from "../../lib/memory/expire-memories.ts";
import { database } from "../../lib/platform/db/database.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import * as rows from "./schedules.ts";

/** Time reserved for the last namespace before the timeout. */
const finishMs = 30_000;

const deps = () => ({ db: database(), vectors: vectorStore(), runtime: systemRuntime });

export const handler = scheduled(rows.expireMemories, deps, (deps) =>
  expireMemories(
    deps,
    deps.runtime.clock() + rows.expireMemories.timeoutSeconds * 1_000 - finishMs,
  ),
);
