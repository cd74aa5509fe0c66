import { cancelResponse } from "../../lib/openai/cancel-response.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, objects: objectStore(), send, runtime: systemRuntime });

export const handler = endpoint(rows.cancelResponse, ({ db, ctx, params }) =>
  cancelResponse(deps(db), { ctx, id: params.response }),
);
