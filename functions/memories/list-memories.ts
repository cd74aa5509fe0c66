import { listMemories } from "../../lib/memory/list-memories.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listMemories, ({ db, ctx, params, query }) => {
  const { namespace } = query;
  const wanted = { tenantId: ctx.tenant.id, agentId: params.agent, namespace, now: ctx.clock() };
  return listMemories(db, wanted, toPageRequest(query));
});
