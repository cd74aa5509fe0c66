import { endpoint } from "../../lib/edge/endpoint.ts";
import { eraseEventDestination } from "../../lib/notifications/destination/store.ts";
import { database } from "../../lib/platform/db/database.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.deleteEventDestination, async ({ ctx, params }) => {
  const { destination } = params;
  const existed = await eraseEventDestination(database(), ctx.tenant.organizationId, destination);
  if (!existed) throw notFound("event destination", destination);
  return undefined;
});
