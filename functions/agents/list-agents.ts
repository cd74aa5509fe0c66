import { listAgents } from "../../lib/agents/agent/store.ts";
import { toAgent } from "../../lib/agents/agent/to-agent.ts";
import { mapPage, toPageRequest } from "../../lib/platform/http/paging.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listAgents, async ({ db, ctx, query }) =>
  mapPage(await listAgents(db, ctx.tenant.id, toPageRequest(query)), toAgent),
);
