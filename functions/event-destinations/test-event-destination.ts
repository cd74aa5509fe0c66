import { database } from "../../lib/db/database.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { testEventDestination as test } from "../../lib/event-destination/test-event-destination.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { outgoingSettings } from "../../lib/runtime/env.ts";
import { testEventDestination } from "./routes.ts";

const deps = () => ({ db: database(), sealer: kmsSealer(), outgoing: outgoingSettings() });

export const handler = endpoint(testEventDestination, deps, ({ ctx, params }, deps) =>
  test({ ctx, input: { destinationId: params.destination }, deps }),
);
