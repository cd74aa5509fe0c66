import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { listEventDestinations } from "../../lib/event-destination/store.ts";
import { toEventDestination } from "../../lib/event-destination/to-event-destination.ts";
import { mapPage, toPageRequest } from "../../lib/http/paging.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listEventDestinations, async ({ ctx, query }) =>
  mapPage(
    await listEventDestinations(database(), ctx.tenant.organizationId, toPageRequest(query)),
    (item) => toEventDestination(item),
  ),
);
