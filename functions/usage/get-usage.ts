import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { reportUsage } from "../../lib/spending/usage/report-usage.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getUsage, ({ ctx, query }) =>
  reportUsage(database(), ctx.tenant.id, query),
);
