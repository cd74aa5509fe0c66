import { database } from "../../lib/db/database.ts";
import { listEventDestinations as list } from "../../lib/event-destination/store.ts";
import { toEventDestination } from "../../lib/event-destination/to-event-destination.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { mapPage, toPageRequest } from "../../lib/http/paging.ts";
import { listEventDestinations } from "./routes.ts";

export const handler = endpoint(listEventDestinations, database, async ({ ctx, query }, db) =>
  mapPage(await list(db, ctx.tenant.organizationId, toPageRequest(query)), (item) =>
    toEventDestination(item),
  ),
);
