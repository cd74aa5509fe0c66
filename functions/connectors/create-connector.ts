import { createConnector as create } from "../../lib/connector/create-connector.ts";
import { database } from "../../lib/db/database.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { outgoingSettings } from "../../lib/runtime/env.ts";
import { createConnector } from "./routes.ts";

const deps = () => ({ db: database(), sealer: kmsSealer(), outgoing: outgoingSettings() });

export const handler = endpoint(createConnector, deps, ({ ctx, params, body }, deps) =>
  create({ ctx, input: { agentId: params.agent, body }, deps }),
);
