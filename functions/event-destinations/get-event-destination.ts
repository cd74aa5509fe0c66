import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { requireEventDestination } from "../../lib/event-destination/require-event-destination.ts";
import { toEventDestination } from "../../lib/event-destination/to-event-destination.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getEventDestination, async ({ ctx, params }) =>
  toEventDestination(
    await requireEventDestination(database(), ctx.tenant.organizationId, params.destination),
  ),
);
