import { endpoint } from "../../lib/edge/endpoint.ts";
import { requireEventDestination } from "../../lib/notifications/destination/require-event-destination.ts";
import { toEventDestination } from "../../lib/notifications/destination/to-event-destination.ts";
import { database } from "../../lib/platform/db/database.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getEventDestination, async ({ ctx, params }) =>
  toEventDestination(
    await requireEventDestination(database(), ctx.tenant.organizationId, params.destination),
  ),
);
