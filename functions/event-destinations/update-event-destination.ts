import { updateEventDestination } from "../../lib/notifications/destination/update-event-destination.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { outgoingSettings } from "../../lib/platform/runtime/env.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, sealer: kmsSealer(), outgoing: outgoingSettings() });

export const handler = endpoint(rows.updateEventDestination, ({ db, ctx, params, body }) =>
  updateEventDestination(deps(db), { ctx, destinationId: params.destination, body }),
);
