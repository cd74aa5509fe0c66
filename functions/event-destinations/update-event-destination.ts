import { database } from "../../lib/db/database.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { updateEventDestination as update } from "../../lib/event-destination/update-event-destination.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { outgoingSettings } from "../../lib/runtime/env.ts";
import { updateEventDestination } from "./routes.ts";

const deps = () => ({ db: database(), sealer: kmsSealer(), outgoing: outgoingSettings() });

export const handler = endpoint(updateEventDestination, deps, ({ ctx, params, body }, deps) =>
  update({ ctx, input: { destinationId: params.destination, body }, deps }),
);
