import { updateConnector as update } from "../../lib/connector/update-connector.ts";
import { database } from "../../lib/db/database.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { outgoingSettings } from "../../lib/runtime/env.ts";
import { updateConnector } from "./routes.ts";

const deps = () => ({ db: database(), sealer: kmsSealer(), outgoing: outgoingSettings() });

export const handler = endpoint(updateConnector, deps, ({ ctx, params, body }, deps) =>
  update({ ctx, input: { agentId: params.agent, connectorId: params.connector, body }, deps }),
);
