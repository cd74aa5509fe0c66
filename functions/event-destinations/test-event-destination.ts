import { testEventDestination } from "../../lib/notifications/destination/test-event-destination.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { outgoingSettings } from "../../lib/platform/runtime/env.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, sealer: kmsSealer(), outgoing: outgoingSettings() });

export const handler = endpoint(rows.testEventDestination, ({ db, ctx, params }) =>
  testEventDestination(deps(db), { ctx, destinationId: params.destination }),
);
