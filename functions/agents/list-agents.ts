import { listAgents } from "../../lib/agent/store.ts";
import { toAgent } from "../../lib/agent/to-agent.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { mapPage, toPageRequest } from "../../lib/http/paging.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listAgents, async ({ ctx, query }) =>
  mapPage(await listAgents(database(), ctx.tenant.id, toPageRequest(query)), toAgent),
);
