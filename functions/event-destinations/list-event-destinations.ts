import { listEventDestinations } from "../../lib/notifications/destination/store.ts";
import { toEventDestination } from "../../lib/notifications/destination/to-event-destination.ts";
import { mapPage, toPageRequest } from "../../lib/platform/http/paging.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listEventDestinations, async ({ db, ctx, query }) =>
  mapPage(
    await listEventDestinations(db, ctx.tenant.organizationId, toPageRequest(query)),
    (item) => toEventDestination(item),
  ),
);
