import { database } from "../../lib/db/database.ts";
import { requireEventDestination } from "../../lib/event-destination/require-event-destination.ts";
import { toEventDestination } from "../../lib/event-destination/to-event-destination.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { getEventDestination } from "./routes.ts";

export const handler = endpoint(getEventDestination, database, async ({ ctx, params }, db) =>
  toEventDestination(
    await requireEventDestination(db, ctx.tenant.organizationId, params.destination),
  ),
);
