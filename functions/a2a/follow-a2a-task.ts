import { requireA2aVersion } from "../../lib/a2a/require-a2a-version.ts";
import { subscribeToTask } from "../../lib/a2a/subscribe-to-task.ts";
import { toSink } from "../../lib/a2a/to-sink.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { waitWithTimer } from "../../lib/platform/runtime/wait.ts";
import { streamedEndpoint } from "../deps/streamed-endpoint.ts";
import * as rows from "./routes.ts";

export const handler = streamedEndpoint(
  rows.followA2aTask,
  async ({ db, ctx, params, query, headers }) => {
    requireA2aVersion(headers, query);
    const deps = { db, objects: objectStore(), runtime: systemRuntime, sleep: waitWithTimer };
    const [agentId, id, sink] = [params.agent, params.task, toSink(ctx.events)];
    return { task: await subscribeToTask(deps, { ctx, agentId, id, sink }) };
  },
);
