import { database } from "../../lib/db/database.ts";
import { eraseEventDestination } from "../../lib/event-destination/store.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { notFound } from "../../lib/http/problems.ts";
import { deleteEventDestination } from "./routes.ts";

export const handler = endpoint(deleteEventDestination, database, async ({ ctx, params }, db) => {
  const { destination } = params;
  const existed = await eraseEventDestination(db, ctx.tenant.organizationId, destination);
  if (!existed) throw notFound("event destination", destination);
  return undefined;
});
