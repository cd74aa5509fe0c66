import { createEventDestination } from "../../lib/notifications/destination/create-event-destination.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { outgoingSettings } from "../../lib/platform/runtime/env.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, sealer: kmsSealer(), outgoing: outgoingSettings() });

export const handler = endpoint(rows.createEventDestination, ({ db, ctx, body }) =>
  createEventDestination(deps(db), { ctx, body }),
);
