import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { eraseEventDestination } from "../../lib/event-destination/store.ts";
import { notFound } from "../../lib/http/problems.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.deleteEventDestination, async ({ ctx, params }) => {
  const { destination } = params;
  const existed = await eraseEventDestination(database(), ctx.tenant.organizationId, destination);
  if (!existed) throw notFound("event destination", destination);
  return undefined;
});
