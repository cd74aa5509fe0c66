import { endpoint } from "../../lib/edge/endpoint.ts";
import { createEventDestination } from "../../lib/notifications/destination/create-event-destination.ts";
import { database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { outgoingSettings } from "../../lib/platform/runtime/env.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), sealer: kmsSealer(), outgoing: outgoingSettings() });

export const handler = endpoint(rows.createEventDestination, ({ ctx, body }) =>
  createEventDestination(deps(), { ctx, body }),
);
