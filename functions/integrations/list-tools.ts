import { endpoint } from "../../lib/edge/endpoint.ts";
import { toPageRequest } from "../../lib/http/paging.ts";
import { toolsDeps } from "../../lib/integration/deps.ts";
import { listTools } from "../../lib/integration/list-tools.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listTools, ({ ctx, params, query }) => {
  const { configId } = query;
  const input = { integrationId: params.integration, configId, page: toPageRequest(query) };
  return listTools({ ctx, input, deps: toolsDeps() });
});
