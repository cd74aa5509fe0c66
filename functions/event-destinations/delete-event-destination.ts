import { eraseEventDestination } from "../../lib/notifications/destination/store.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.deleteEventDestination, async ({ db, ctx, params }) => {
  const { destination } = params;
  const existed = await eraseEventDestination(db, ctx.tenant.organizationId, destination);
  if (!existed) throw notFound("event destination", destination);
  return undefined;
});
