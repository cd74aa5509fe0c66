import { updateConnector } from "../../lib/chat/connector/update-connector.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { outgoingSettings } from "../../lib/platform/runtime/env.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, sealer: kmsSealer(), outgoing: outgoingSettings() });

export const handler = endpoint(rows.updateConnector, ({ db, ctx, params, body }) =>
  updateConnector(deps(db), { ctx, agentId: params.agent, connectorId: params.connector, body }),
);
