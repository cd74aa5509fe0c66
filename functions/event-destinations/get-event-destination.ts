import { requireEventDestination } from "../../lib/notifications/destination/require-event-destination.ts";
import { toEventDestination } from "../../lib/notifications/destination/to-event-destination.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getEventDestination, async ({ db, ctx, params }) =>
  toEventDestination(
    await requireEventDestination(db, ctx.tenant.organizationId, params.destination),
  ),
);
