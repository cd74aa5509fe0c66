import { endpoint } from "../../lib/http/endpoint.ts";
import { toPageRequest } from "../../lib/http/paging.ts";
import { toolsDeps } from "../../lib/integration/deps.ts";
import { listTools as list } from "../../lib/integration/list-tools.ts";
import { listTools } from "./routes.ts";

export const handler = endpoint(listTools, toolsDeps, ({ ctx, params, query }, deps) => {
  const { configId } = query;
  const input = { integrationId: params.integration, configId, page: toPageRequest(query) };
  return list({ ctx, input, deps });
});
