import { listScorers } from "../../lib/evaluation/scorer/store.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listScorers, ({ db, ctx, query }) =>
  listScorers(db, ctx.tenant.id, toPageRequest(query)),
);
