import { listAgents as readAgents } from "../../lib/agent/store.ts";
import { toAgent } from "../../lib/agent/to-agent.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { mapPage, toPageRequest } from "../../lib/http/paging.ts";
import { listAgents } from "./routes.ts";

export const handler = endpoint(listAgents, database, async ({ ctx, query }, db) =>
  mapPage(await readAgents(db, ctx.tenant.id, toPageRequest(query)), toAgent),
);
