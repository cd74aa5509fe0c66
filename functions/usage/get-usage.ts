import { reportUsage } from "../../lib/spending/usage/report-usage.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getUsage, ({ db, ctx, query }) =>
  reportUsage(db, ctx.tenant.id, query),
);
