import { database } from "../../lib/db/database.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { updateEventDestination } from "../../lib/event-destination/update-event-destination.ts";
import { outgoingSettings } from "../../lib/runtime/env.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), sealer: kmsSealer(), outgoing: outgoingSettings() });

export const handler = endpoint(rows.updateEventDestination, ({ ctx, params, body }) =>
  updateEventDestination({ ctx, input: { destinationId: params.destination, body }, deps: deps() }),
);
