import { endpoint } from "../../lib/edge/endpoint.ts";
import { listScorers } from "../../lib/evaluation/scorer/store.ts";
import { database } from "../../lib/platform/db/database.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listScorers, ({ ctx, query }) =>
  listScorers(database(), ctx.tenant.id, toPageRequest(query)),
);
