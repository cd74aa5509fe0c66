import { listTasks } from "../../lib/a2a/list-tasks.ts";
import { requireA2aVersion } from "../../lib/a2a/require-a2a-version.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listA2aTasks, ({ db, ctx, params, query, headers }) => {
  requireA2aVersion(headers, query);
  const { lastUpdatedAfter, statusTimestampAfter = lastUpdatedAfter, ...rest } = query;
  return listTasks(
    { db, objects: objectStore() },
    { ctx, agentId: params.agent, params: { ...rest, statusTimestampAfter } },
  );
});
