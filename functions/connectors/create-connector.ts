import { createConnector } from "../../lib/chat/connector/create-connector.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { outgoingSettings } from "../../lib/platform/runtime/env.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, sealer: kmsSealer(), outgoing: outgoingSettings() });

export const handler = endpoint(rows.createConnector, ({ db, ctx, params, body }) =>
  createConnector(deps(db), { ctx, agentId: params.agent, body }),
);
