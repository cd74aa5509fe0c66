import { listTasks } from "../../lib/a2a/list-tasks.ts";
import { requireVersion } from "../../lib/a2a/require-version.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listA2aTasks, ({ db, ctx, params, query, headers }) => {
  requireVersion(headers, query);
  return listTasks({ db, objects: objectStore() }, { ctx, agentId: params.agent, params: query });
});
