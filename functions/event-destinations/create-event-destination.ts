import { database } from "../../lib/db/database.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { createEventDestination } from "../../lib/event-destination/create-event-destination.ts";
import { outgoingSettings } from "../../lib/runtime/env.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), sealer: kmsSealer(), outgoing: outgoingSettings() });

export const handler = endpoint(rows.createEventDestination, ({ ctx, body }) =>
  createEventDestination({ ctx, input: body, deps: deps() }),
);
