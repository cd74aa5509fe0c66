import { database } from "../../lib/db/database.ts";
import { objectStore } from "../../lib/db/object-store.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { readTrace } from "../../lib/execution/read-trace.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), objects: objectStore() });

export const handler = endpoint(rows.getExecutionTrace, ({ ctx, params }) =>
  readTrace(deps(), ctx.tenant.id, params.agent, params.executionRecord),
);
