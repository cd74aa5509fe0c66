import { findTask, readTask } from "../../lib/a2a/read-task.ts";
import { requireA2aVersion } from "../../lib/a2a/require-a2a-version.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getA2aTask, async ({ db, ctx, params, query, headers }) => {
  requireA2aVersion(headers, query);
  const storage = { db, objects: objectStore() };
  const execution = await findTask(storage, { ctx, agentId: params.agent, id: params.task });
  const { historyLength } = query;
  return readTask(storage, { ctx, execution, view: { historyLength } });
});
