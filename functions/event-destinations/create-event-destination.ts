import { database } from "../../lib/db/database.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { createEventDestination as create } from "../../lib/event-destination/create-event-destination.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { outgoingSettings } from "../../lib/runtime/env.ts";
import { createEventDestination } from "./routes.ts";

const deps = () => ({ db: database(), sealer: kmsSealer(), outgoing: outgoingSettings() });

export const handler = endpoint(createEventDestination, deps, ({ ctx, body }, deps) =>
  create({ ctx, input: body, deps }),
);
