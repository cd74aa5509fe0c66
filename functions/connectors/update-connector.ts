import { updateConnector } from "../../lib/connector/update-connector.ts";
import { database } from "../../lib/db/database.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { outgoingSettings } from "../../lib/runtime/env.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), sealer: kmsSealer(), outgoing: outgoingSettings() });

export const handler = endpoint(rows.updateConnector, ({ ctx, params, body }) =>
  updateConnector({
    ctx,
    input: { agentId: params.agent, connectorId: params.connector, body },
    deps: deps(),
  }),
);
