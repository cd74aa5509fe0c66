import { database } from "../../lib/db/database.ts";
import { objectStore } from "../../lib/db/object-store.ts";
import { readTrace } from "../../lib/execution/read-trace.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { getExecutionTrace } from "./routes.ts";

const deps = () => ({ db: database(), objects: objectStore() });

export const handler = endpoint(getExecutionTrace, deps, ({ ctx, params }, deps) =>
  readTrace(deps, ctx.tenant.id, params.agent, params.executionRecord),
);
